import Foundation
import RationModel
import TestSupport
import Testing

@testable import RationScheduling

/// A life of a scheduler: changes of the facts, time, evictions, kills at any step, brokers restored from a backup, logs cut
/// short. In the end the broker has pending what the facts demand.
private struct Life {
    private let scene: Scene
    private var random: SplitMix64
    private var wishes: [Wish] = []
    private var backup = SimulatedBroker.Data()
    private var logs = 1
    private(set) var kills = 0

    init(seed: UInt64) throws {
        scene = try Scene()
        scene.options.retryMilliseconds = 10_000
        random = SplitMix64(seed: seed)
        if seed % 4 == 0 { scene.options.readingMilliseconds = 0 }
    }

    mutating func run() throws {
        for _ in 0..<40 { try act() }
        scene.step = {}
        scene.broker.rejections = [:]
        // What was evicted or rejected is offered again; what that leads to is settled by one more.
        scene.broker.advance(to: scene.broker.now.milliseconds + 10_001)
        try scene.run()
        scene.broker.advance(to: scene.broker.now.milliseconds + 1)
        try scene.run()
    }

    private mutating func act() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: try changeFacts()
        case 6..<9:
            scene.broker.advance(
                to: scene.broker.now.milliseconds + Int64.random(in: 1...8_000, using: &random))
        case 9..<11: endOne()
        case 11: backup = scene.broker.data
        case 12 where Int.random(in: 0..<3, using: &random) == 0:
            logs += 1
            scene.broker.restore(backup, log: "log-\(logs)")
        case 13: scene.broker.forgetEvents()
        case 14:
            scene.broker.rejections = [anyID(): ["content.empty", "type"].randomElement(using: &random) ?? ""]
        default: try runOrDie()
        }
    }

    private mutating func anyID() -> String { "t.\(Int.random(in: 0..<6, using: &random))" }

    private mutating func changeFacts() throws {
        let now = scene.broker.now.milliseconds
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let device = "d\(Int.random(in: 0..<4, using: &random))"
            let id = anyID()
            wishes.removeAll { $0.device == device && ($0.id == id || Int.random(in: 0..<10, using: &random) == 0) }
            guard Bool.random(using: &random) else { continue }
            let date = now + Int64.random(in: -2_000...60_000, using: &random)
            var wish = Wish(id, at: date, expires: date + Int64.random(in: 1...40_000, using: &random), device: device)
            wish.title = ["a", "b"].randomElement(using: &random) ?? ""
            wish.deliver = Int.random(in: 0..<4, using: &random) == 0
            if Int.random(in: 0..<5, using: &random) == 0 { wish.visible = date - 5_000 }
            wishes.append(wish)
        }
        try scene.facts.set(wishes)
    }

    /// Something of the broker's own ends a notification.
    private mutating func endOne() {
        let places = scene.broker.pending.keys.sorted { ($0.device, $0.id) < ($1.device, $1.id) }
        guard let place = places.randomElement(using: &random) else { return }
        scene.broker.evict(place, kind: Bool.random(using: &random) ? .evicted : .cancelled)
    }

    private mutating func runOrDie() throws {
        var left = Int.random(in: 1...12, using: &random)
        scene.step = {
            left -= 1
            if left == 0 { throw Killed() }
        }
        do {
            try scene.run()
            if Int.random(in: 0..<6, using: &random) == 0 { scene.kill() }
        } catch is Killed {
            kills += 1
            scene.kill()
        }
    }

    /// What should be pending and what is, where they differ.
    func differences() -> [String] {
        let now = scene.broker.now.milliseconds
        var demanded: [SimulatedBroker.Place: SimulatedBroker.Pending] = [:]
        for wish in wishes where (wish.at ?? 0) > now && wish.visible ?? 0 <= now {
            demanded[place(wish.id, wish.device)] = .init(
                date: wish.at ?? 0, expires: wish.expires, title: wish.title, deliver: wish.deliver)
        }
        let pending = scene.broker.pending
        return Set(demanded.keys).union(pending.keys).filter { demanded[$0] != pending[$0] }.map {
            "\($0): demanded \(String(describing: demanded[$0])), pending \(String(describing: pending[$0]))"
        }
    }
}

@Suite("Lives of a scheduler")
struct GeneratedTests {
    /// A quarter of `RATION_SEEDS`, at most of 1,000, or of 100.
    private static let livesEach = UInt64(
        min(250, max(1, (ProcessInfo.processInfo.environment["RATION_SEEDS"].flatMap { Int($0) } ?? 100) / 4)))

    @Test("whatever happens, the broker ends with what the facts demand", arguments: 0..<4)
    func lives(part: Int) throws {
        let first = UInt64.random(in: 0..<1 << 40)
        var kills = 0
        for seed in first..<first + Self.livesEach {
            var life = try Life(seed: seed)
            try life.run()
            kills += life.kills
            #expect(life.differences() == [], "seed \(seed)")
        }
        #expect(kills > 0, "seeds from \(first)")
    }
}
