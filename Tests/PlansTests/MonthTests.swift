import Foundation
import RationModel
import RationPhone
import Testing

@testable import PlansSubscriber

@Suite("Phones with plans, over a month")
struct MonthTests {
    /// Some in the ordinary run; 500 with `deploy/test --long`.
    static let devices = ProcessInfo.processInfo.environment["RATION_PHONES"].flatMap(Int.init) ?? 8
    static let start = Instant(rfc3339: "2027-03-05T09:00:00.000Z") ?? .distantPast

    @Test("no phone drops what Ration holds, and each shows what was due exactly once")
    func month() throws {
        let (seed, begin) = (UInt64(1), ContinuousClock.now)
        let workload = MonthWorkload(seed: seed, devices: Self.devices, start: Self.start)
        var world = try MonthWorld(devices: Self.devices, start: Self.start)
        try world.run(
            workload.lines, until: Self.start.advanced(by: MonthWorkload.days * Instant.dayMilliseconds))
        #expect(world.faults == [], "seed \(seed)")
        var (shown, pushes, late) = (0, 0, 0)
        for (number, device) in world.devices.enumerated() {
            #expect(device.phone.dropped == [], "phone-\(number), seed \(seed)")
            #expect(device.phone.neverShown == [], "phone-\(number), seed \(seed)")
            expectSame(device.phone.shown, device.due, "phone-\(number), seed \(seed)")
            shown += device.phone.shown.count
            pushes += device.pushes.count
            late += zip(device.pushes, device.pushes.dropFirst()).count {
                $1.milliseconds - $0.milliseconds < PhonePlan.pushMilliseconds
            }
        }
        #expect(shown > Self.devices * 100)
        print(
            #"{"phones":\#(Self.devices),"notifications":\#(Self.devices * MonthWorkload.notifications),"shown":\#(shown),"#
                + #""pushes":\#(pushes),"urgent":\#(late),"seconds":\#(seconds(since: begin))}"#)
    }

    private func seconds(since begin: ContinuousClock.Instant) -> Int64 {
        (ContinuousClock.now - begin).components.seconds
    }

    private func text(_ content: [UInt8]) -> String {
        let members = (try? JSONSerialization.jsonObject(with: Data(content))) as? [String: String]
        return "\(members?["title"] ?? "none")/\(members?["body"] ?? "none")"
    }

    /// An interval that a calendar stands for is shown at the beginning of its second.
    private func expectSame(_ shown: [Phone.Shown], _ due: [Phone.Shown], _ name: String) {
        func keys(_ list: [Phone.Shown]) -> [String: Int] {
            Dictionary(
                list.map {
                    ("\($0.identifier) \($0.date.milliseconds / 1_000) \(text($0.content))", 1)
                }, uniquingKeysWith: +)
        }
        let (left, right) = (keys(shown), keys(due))
        guard left != right else { return }
        let extra = left.filter { $0.value > right[$0.key] ?? 0 }.keys.sorted().prefix(5)
        let missing = right.filter { $0.value > left[$0.key] ?? 0 }.keys.sorted().prefix(5)
        Issue.record("\(name): shown and not due: \(extra); due and not shown: \(missing)")
    }
}
