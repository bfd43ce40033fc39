import Foundation
import RationModel
import RationPlanner
import RationStore
import SoonestOrder
import Testing

@testable import RationBroker

@Suite("Requests that were being decided when the broker crashed")
final class PoisonWatchTests {
    private let start = Instant(milliseconds: 1_796_000_000_000)
    private let data = NSTemporaryDirectory() + "ration-poison-" + UUID().uuidString
    private let store = MemoryStore(log: "log", retentionBytes: 1 << 20)

    init() throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: data)
    }

    private func decider() throws -> Decider {
        var decider = Decider(
            policy: CompiledPolicy(Policy(), order: SoonestOrder(), rules: []), zones: EveryZone(), seed: 1,
            store: store)
        decider.poison = try PoisonWatch(data: data)
        return decider
    }

    private func body(_ id: String) -> [UInt8] {
        Array(
            #"{"op":"schedule","app":"app","device":"\#(id)","id":"n","content":{"title":"t"},"trigger":{"after":60}}"#
                .utf8)
    }

    private func take(_ id: String, _ decider: inout Decider) -> Answer? {
        body(id).withUnsafeBytes {
            decider.take(
                $0, number: 1, of: PublisherName(id), numberFrame: [0x31], from: ReplyAddress(frames: [[1]]),
                clock: start)
        }
    }

    private func mustWait(_ id: String, _ decider: borrowing Decider) -> Bool {
        body(id).withUnsafeBytes { decider.mustWait($0) }
    }

    /// What the handler does when the deciding thread crashes.
    private func crash() throws {
        let file = try #require(FileHandle(forUpdatingAtPath: data + "/deciding"))
        try file.seek(toOffset: 8)
        try file.write(contentsOf: [1])
        try file.close()
    }

    private func text(_ answer: Answer?) -> String {
        answer.map { String(decoding: $0.bodies.joined(), as: UTF8.self) } ?? "none"
    }

    @Test(
        "after a crash each is tried alone, once; the one that ends the process again is refused with its number, and kept"
    )
    func story() throws {
        var first = try decider()
        let firstReport = first.poison?.takeReport()
        #expect(firstReport == [])
        for id in ["a", "b", "c"] { #expect(take(id, &first) == nil) }
        try crash()

        var second = try decider()
        let secondReport = second.poison?.takeReport()
        #expect(
            secondReport == [
                "the broker has crashed while it decided 3 requests, which are tried alone when sent again"
            ])
        var waits = mustWait("a", second)
        #expect(!waits, "an empty batch has room for it")
        #expect(take("a", &second) == nil)
        var isAlone = second.isTryingAlone
        #expect(isAlone)
        #expect(FileManager.default.fileExists(atPath: data + "/poison"))
        _ = try second.decideAndCommit(clock: start, wakeLimit: 0)
        isAlone = second.isTryingAlone
        #expect(!isAlone)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data + "/poison") == [], "it was decided")
        #expect(take("x", &second) == nil)
        let found = [mustWait("a", second), mustWait("b", second), mustWait("c", second), mustWait("y", second)]
        #expect(found == [false, true, true, false])
        _ = try second.decideAndCommit(clock: start, wakeLimit: 0)
        #expect(take("b", &second) == nil)
        try crash()

        var third = try decider()
        let report = third.poison?.takeReport() ?? []
        #expect(report.count == 1 && report[0].hasPrefix("a request has ended the broker twice"), "\(report)")
        let folder = PoisonFolder(data: data)
        let entries = try folder.entries()
        #expect(entries.map(\.publisher) == ["b"] && entries[0].number == 1)
        #expect(try folder.body(of: entries[0].hash) == body("b"))
        #expect(take("b", &third) == nil)
        isAlone = third.isTryingAlone
        #expect(!isAlone)
        let told = try third.decideAndCommit(clock: start, wakeLimit: 0)
        #expect(text(told.answers.first).contains(#""code":"poison""#), "\(text(told.answers.first))")
        #expect(store.lastNumber(of: "b") == 1)
        #expect(text(take("b", &third)) == text(told.answers.first), "its refusal is kept")
        #expect(take("x2", &third) == nil)
        waits = mustWait("c", third)
        #expect(waits, "what was not sent again is still to be tried")
        _ = try third.decideAndCommit(clock: start, wakeLimit: 0)
        try crash()

        let fourth = try decider()
        let fourthReport = fourth.poison?.takeReport()
        #expect(fourthReport == ["the broker has crashed; no request was being decided"])
        #expect(try folder.entries() == entries)
    }

    @Test("a process that ends without a crash blames nothing, wherever it ends")
    func killed() throws {
        var first = try decider()
        #expect(take("a", &first) == nil)
        var second = try decider()
        let secondReport = second.poison?.takeReport()
        #expect(secondReport == [])
        #expect(take("b", &second) == nil)
        let waits = mustWait("a", second)
        #expect(!waits)
    }

    @Test("a file of notes that is none is begun anew; one of condemned requests that cannot be read is told")
    func files() throws {
        try Data(repeating: 0xFF, count: 100).write(to: URL(fileURLWithPath: data + "/deciding"))
        do { _ = try PoisonWatch(data: data) }
        try FileManager.default.createDirectory(atPath: data + "/poison", withIntermediateDirectories: true)
        try Data("{".utf8).write(to: URL(fileURLWithPath: data + "/poison/x.json"))
        let error = #expect(throws: PoisonError.self) { try PoisonWatch(data: self.data) }
        #expect(error?.path == data + "/poison/x.json" && error?.message.hasPrefix("it is not JSON") == true)
    }
}

private struct EveryZone: ZoneSource {
    var release: String? { nil }
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
}
