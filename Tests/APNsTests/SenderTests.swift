import APNsSubscriber
import RationModel
import RationWire
import TestSupport
import TestProcesses
import Testing

@Suite("The sender's decisions")
struct SenderTests {
    /// A sender with a clock.
    struct Bench {
        var sender: PushSender
        var now = Instant(milliseconds: 1_000_000_000_000)
        var effects: [PushEffect] = []

        init(keys: Int = 1, _ change: (inout PushLimits) -> Void = { _ in }) {
            var limits = PushLimits()
            change(&limits)
            sender = PushSender(keys: keys, limits: limits)
        }

        mutating func add(_ numbers: Int..., change: (inout Push) -> Void = { _ in }) throws {
            for number in numbers {
                var push = try TestPushes.push(number)
                change(&push)
                effects += sender.add(push, now: now)
            }
        }

        /// All that can be sent now.
        mutating func orders() -> [PushSender.Order] {
            var orders: [PushSender.Order] = []
            while let order = sender.next(now, &effects) { orders.append(order) }
            return orders
        }

        mutating func order() throws -> PushSender.Order { try #require(sender.next(now, &effects)) }

        mutating func answer(
            _ order: PushSender.Order, _ status: Int, _ reason: String = "", after seconds: Int64? = nil
        ) {
            let answer = PushAnswer(status: status, reason: reason, retryAfterSeconds: seconds)
            effects += sender.answered(order.ticket, answer, now: now)
        }

        mutating func fail(_ order: PushSender.Order, _ failure: PushFailure) {
            effects += sender.failed(order.ticket, failure, now: now)
        }

        mutating func pass(_ milliseconds: Int64) { now = now.advanced(by: milliseconds) }

        /// What the pushes have come to, by their numbers' names.
        var endings: [String: PushEnding] {
            effects.reduce(into: [:]) { all, effect in
                if case .ended(let push, let ending) = effect { all[push.id] = ending }
            }
        }

        var alarms: [PushAlarm] { effects.compactMap { if case .alarm(let alarm) = $0 { alarm } else { nil } } }
        var closed: Int { effects.count { if case .connectionClosed = $0 { true } else { false } } }
    }

    /// From the bench's now.
    private func deferred(_ milliseconds: Int64, attempts: Int = 1, _ reason: String) -> PushEnding {
        .deferred(until: Instant(milliseconds: 1_000_000_000_000 + milliseconds), attempts: attempts, reason: reason)
    }

    @Test("One stream until the first answer, then as many as are allowed", arguments: [1, 3, 1_000])
    func window(streams: Int) throws {
        var bench = Bench { $0.streams = streams }
        try bench.add(1, 2, 3, 4, 5)
        let first = bench.orders()
        #expect(first.count == 1)
        bench.answer(first[0], 200)
        #expect(bench.orders().count == min(4, streams))
        #expect(bench.sender.inFlight == min(4, streams))
    }

    @Test(
        "What an answer leads to, when nothing else is known",
        arguments: [
            (200, "", nil, PushEnding.delivered),
            (400, "BadCollapseId", nil, .failed(reason: "BadCollapseId")),
            (400, "BadDeviceToken", nil, .failed(reason: "BadDeviceToken")),
            (400, "PayloadEmpty", nil, .failed(reason: "PayloadEmpty")),
            (400, "DeviceTokenNotForTopic", nil, .failed(reason: "DeviceTokenNotForTopic")),
            (403, "Forbidden", nil, .failed(reason: "Forbidden")),
            (404, "BadPath", nil, .failed(reason: "BadPath")),
            (405, "MethodNotAllowed", nil, .failed(reason: "MethodNotAllowed")),
            (410, "Unregistered", nil, .failed(reason: "Unregistered")),
            (410, "ExpiredToken", nil, .failed(reason: "ExpiredToken")),
            (413, "PayloadTooLarge", nil, .failed(reason: "PayloadTooLarge")),
            (418, "", nil, .failed(reason: "status418")),
            (
                429, "TooManyRequests", nil,
                .deferred(until: .init(milliseconds: 1_000_000_060_000), attempts: 1, reason: "TooManyRequests")
            ),
            (
                429, "TooManyRequests", 7,
                .deferred(until: .init(milliseconds: 1_000_000_007_000), attempts: 1, reason: "TooManyRequests")
            ),
            (
                429, "TooManyProviderTokenUpdates", nil,
                .deferred(
                    until: .init(milliseconds: 1_000_001_200_000), attempts: 1, reason: "TooManyProviderTokenUpdates")
            ),
            (
                500, "InternalServerError", nil,
                .deferred(until: .init(milliseconds: 1_000_000_900_000), attempts: 1, reason: "InternalServerError")
            ),
            (
                503, "ServiceUnavailable", nil,
                .deferred(until: .init(milliseconds: 1_000_000_900_000), attempts: 1, reason: "ServiceUnavailable")
            ),
            (
                503, "ServiceUnavailable", 30,
                .deferred(until: .init(milliseconds: 1_000_000_030_000), attempts: 1, reason: "ServiceUnavailable")
            ),
            (
                503, "Shutdown", nil,
                .deferred(until: .init(milliseconds: 1_000_000_900_000), attempts: 1, reason: "Shutdown")
            ),
        ] as [(Int, String, Int64?, PushEnding)])
    func answers(status: Int, reason: String, after: Int64?, expected: PushEnding) throws {
        var bench = Bench()
        try bench.add(1)
        bench.answer(try bench.order(), status, reason, after: after)
        #expect(bench.endings["n1"] == expected)
        #expect(bench.sender.count == 0 && bench.sender.inFlight == 0)
    }

    @Test(
        "Waits double with each try, up to their longest",
        arguments: [
            (429, "TooManyRequests", 0, 60_000), (429, "TooManyRequests", 1, 120_000),
            (429, "TooManyRequests", 6, 3_600_000),
            (429, "TooManyRequests", 60, 3_600_000), (500, "x", 1, 1_800_000), (500, "x", 4, 14_400_000),
            (500, "x", 99, 14_400_000),
        ] as [(Int, String, Int, Int64)])
    func backoff(status: Int, reason: String, attempts: Int, wait: Int64) throws {
        var bench = Bench()
        try bench.add(1) { $0.attempts = attempts }
        bench.answer(try bench.order(), status, reason)
        #expect(bench.endings["n1"] == deferred(wait, attempts: attempts + 1, reason))
    }

    @Test("Nothing is tried again at or past validUntil", arguments: [59_999, 60_000, 60_001] as [Int64])
    func validUntil(left: Int64) throws {
        var bench = Bench()
        try bench.add(1) { $0.validUntil = Instant(milliseconds: 1_000_000_000_000 + left) }
        bench.answer(try bench.order(), 429, "TooManyRequests")
        let isInTime = left > 60_000
        #expect(
            bench.endings["n1"] == (isInTime ? deferred(60_000, "TooManyRequests") : .failed(reason: "TooManyRequests"))
        )
    }

    @Test("What is too late is not sent, not even once", arguments: [-1, 0, 1] as [Int64])
    func expired(left: Int64) throws {
        var bench = Bench()
        try bench.add(1) { $0.validUntil = Instant(milliseconds: 1_000_000_000_000 + left) }
        #expect(bench.orders().count == (left > 0 ? 1 : 0))
        #expect(bench.endings["n1"] == (left > 0 ? nil : .failed(reason: PushReason.expired)))
    }

    @Test("One that becomes too late while it waits in the queue is not sent")
    func expiredInQueue() throws {
        var bench = Bench()
        try bench.add(1, 2) { $0.validUntil = Instant(milliseconds: 1_000_000_005_000) }
        let first = try bench.order()
        bench.pass(5_000)
        bench.answer(first, 200)
        #expect(bench.orders().isEmpty && bench.endings["n2"] == .failed(reason: PushReason.expired))
    }

    @Test("A device that gets too many is left alone until then, others are not")
    func busyDevice() throws {
        var bench = Bench()
        try bench.add(1)
        bench.answer(try bench.order(), 429, "TooManyRequests")
        bench.pass(59_999)
        try bench.add(2) { $0.device = "d1" }
        try bench.add(3)
        #expect(bench.endings["n2"] == deferred(60_000, attempts: 0, "TooManyRequests"))
        #expect(bench.orders().count == 1)
        bench.pass(1)
        try bench.add(4) { $0.device = "d1" }
        #expect(bench.endings["n4"] == nil)
    }

    @Test("503 pauses the key in that environment: what waits there is put off, the other environment goes on")
    func serviceAway() throws {
        var bench = Bench()
        try bench.add(1, 2, 3)
        try bench.add(4) { $0.address.isSandbox = true }
        let orders = bench.orders()
        #expect(orders.count == 2)
        bench.answer(orders.first { !$0.lane.isSandbox }!, 503, "ServiceUnavailable")
        for id in ["n2", "n3"] { #expect(bench.endings[id] == deferred(900_000, attempts: 0, "ServiceUnavailable")) }
        bench.answer(orders.first { $0.lane.isSandbox }!, 200)
        #expect(bench.endings["n4"] == .delivered)
        try bench.add(5)
        #expect(bench.endings["n5"] == deferred(900_000, attempts: 0, "ServiceUnavailable"))
        bench.pass(900_000)
        try bench.add(6)
        #expect(bench.orders().count == 1)
    }

    @Test("500 for one push holds up only that one; ten in a row pause all that goes there")
    func serverErrors() throws {
        var bench = Bench()
        for number in 1...9 {
            try bench.add(number)
            bench.answer(try bench.order(), 500, "InternalServerError")
        }
        try bench.add(10)
        bench.answer(try bench.order(), 200)
        #expect(bench.endings["n10"] == .delivered)
        for number in 11...20 {
            try bench.add(number)
            bench.answer(try bench.order(), 500, "InternalServerError")
        }
        try bench.add(21)
        #expect(bench.orders().isEmpty && bench.endings["n21"] == deferred(900_000, attempts: 0, "ServiceUnavailable"))
    }

    @Test(
        "A provider token is used for 50 minutes",
        arguments: [(49 * 60_000 + 59_999, 1), (50 * 60_000, 2)] as [(Int64, Int)])
    func tokenLife(wait: Int64, generation: Int) throws {
        var bench = Bench()
        try bench.add(1)
        let first = try bench.order()
        bench.answer(first, 200)
        bench.pass(wait)
        try bench.add(2)
        #expect(first.tokenGeneration == 1)
        #expect(try bench.order().tokenGeneration == generation)
    }

    @Test(
        "ExpiredProviderToken: what was sent with the old token goes again once, on a new connection; no second token")
    func expiredProviderToken() throws {
        var bench = Bench()
        try bench.add(1, 2, 3)
        bench.answer(try bench.order(), 200)
        let old = bench.orders()
        #expect(old.count == 2)
        for order in old { bench.answer(order, 403, "ExpiredProviderToken") }
        #expect(bench.closed == 1)
        let again = try bench.order()
        #expect(again.tokenGeneration == 2 && again.lane.number == 1)
        bench.answer(again, 200)
        let last = try bench.order()
        #expect(last.tokenGeneration == 2 && last.lane.number == 1)
        bench.answer(last, 200)
        #expect(bench.endings.values.allSatisfy { $0 == .delivered } && bench.alarms.isEmpty)
    }

    @Test(
        "A second ExpiredProviderToken within 20 minutes stops the key; later it does not",
        arguments: [
            (20 * 60_000 - 1, true), (20 * 60_000, false),
        ] as [(Int64, Bool)])
    func expiredTwice(wait: Int64, stops: Bool) throws {
        var bench = Bench()
        try bench.add(1)
        bench.answer(try bench.order(), 403, "ExpiredProviderToken")
        bench.answer(try bench.order(), 200)
        bench.pass(wait)
        try bench.add(2)
        bench.answer(try bench.order(), 403, "ExpiredProviderToken")
        #expect(bench.alarms == (stops ? [.keyStopped(key: 0, reason: "ExpiredProviderToken")] : []))
        #expect((bench.sender.stopReason(key: 0) != nil) == stops)
    }

    @Test(
        "A key whose 403 stays is stopped; other keys go on",
        arguments: ["InvalidProviderToken", "BadCertificate", "MissingProviderToken"])
    func stopped(reason: String) throws {
        var bench = Bench(keys: 2)
        try bench.add(1, 2)
        try bench.add(3) { $0.key = 1 }
        for order in bench.orders() where order.lane.key == 0 { bench.answer(order, 403, reason) }
        #expect(bench.alarms.isEmpty)
        bench.answer(try bench.order(), 403, reason)
        #expect(bench.alarms == [.keyStopped(key: 0, reason: reason)])
        #expect(
            bench.endings["n1"] == deferred(900_000, attempts: 0, reason)
                && bench.endings["n2"] == deferred(900_000, attempts: 0, reason))
        try bench.add(4)
        #expect(bench.endings["n4"] == deferred(900_000, attempts: 0, reason))
        try bench.add(5) { $0.key = 1 }
        #expect(bench.sender.count == 2)
    }

    @Test(
        "A 410 later than the last registration means a dead token, another one does not",
        arguments: [
            (nil, true), (999, true), (1_000, false), (1_001, false),
        ] as [(Int64?, Bool)])
    func tokenIsGone(registered: Int64?, isDead: Bool) throws {
        var bench = Bench()
        try bench.add(1) { $0.address.registered = registered.map { Instant(milliseconds: $0) } }
        let order = try bench.order()
        let answer = PushAnswer(status: 410, reason: "Unregistered", timestamp: Instant(milliseconds: 1_000))
        let effects = bench.sender.answered(order.ticket, answer, now: bench.now)
        let isTold = effects.contains {
            if case .tokenIsDead(_, Instant(milliseconds: 1_000)) = $0 { true } else { false }
        }
        #expect(isTold == isDead)
    }

    @Test("BadDeviceToken of a token that has worked raises an alarm in place of forgetting it")
    func badToken() throws {
        var bench = Bench()
        try bench.add(1) { $0.hasWorked = true }
        bench.answer(try bench.order(), 400, "BadDeviceToken")
        #expect(bench.alarms == [.wrongEnvironment(app: TestPushes.app, device: "d1", isSandbox: false)])
        #expect(!bench.effects.contains { if case .tokenIsDead = $0 { true } else { false } })
        try bench.add(2)
        bench.answer(try bench.order(), 400, "BadDeviceToken")
        #expect(bench.alarms.count == 1 && bench.effects.contains { if case .tokenIsDead = $0 { true } else { false } })
    }

    @Test("One bad token ends alone: its neighbours are ordered once")
    func neighbours() throws {
        var bench = Bench()
        for number in 1...100 { try bench.add(number) }
        var ordered: [Int: Int] = [:]
        while bench.sender.count > 0 {
            for order in bench.orders() {
                ordered[order.ticket, default: 0] += 1
                bench.answer(order, order.ticket == 7 ? 400 : 200, order.ticket == 7 ? "BadDeviceToken" : "")
            }
        }
        #expect(ordered.count == 100 && ordered.values.allSatisfy { $0 == 1 } && bench.closed == 0)
    }

    @Test("What a cut connection had under way goes again on the next one, first in its queue")
    func lost() throws {
        var bench = Bench()
        try bench.add(1, 2, 3, 4)
        bench.answer(try bench.order(), 200)
        let under = bench.orders()
        for order in under { bench.fail(order, .lost(mayHaveArrived: true)) }
        #expect(bench.closed == 1 && bench.sender.inFlight == 0 && bench.sender.count == 3)
        let again = bench.orders()
        #expect(again.count == 1 && again[0].lane.number == 1)
    }

    @Test("A push that is lost again and again is put off, so that it holds up nothing")
    func losses() throws {
        var bench = Bench()
        try bench.add(1)
        for _ in 0..<3 {
            bench.fail(try bench.order(), .silent)
            bench.pass(60_000)
        }
        #expect(bench.endings["n1"] == deferred(121_000, PushReason.noAnswer))
    }

    @Test("Connections that come to nothing are tried after 1, 2, 4 … 60 seconds")
    func connecting() throws {
        var bench = Bench()
        try bench.add(1)
        for wait in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] as [Int64] {
            bench.fail(try bench.order(), .notConnected)
            #expect(bench.sender.nextTime(after: bench.now) == bench.now.advanced(by: wait))
            bench.pass(wait - 1)
            #expect(bench.orders().isEmpty)
            bench.pass(1)
        }
        bench.answer(try bench.order(), 200)
        #expect(bench.endings["n1"] == .delivered)
    }

    @Test("What was not sent in time goes again, and fewer are sent at once")
    func notSent() throws {
        var bench = Bench()
        for number in 1...11 { try bench.add(number) }
        bench.answer(try bench.order(), 200)
        let orders = bench.orders()
        #expect(orders.count == 10)
        for order in orders.dropFirst() { bench.fail(order, .notSent) }
        #expect(bench.closed == 0 && bench.orders().isEmpty)
        bench.answer(orders[0], 200)
        #expect((1...2).contains(bench.orders().count))
    }

    @Test(
        "After a minute without an answer, a connection is tried with one push",
        arguments: [(60_000, 5), (60_001, 1)] as [(Int64, Int)])
    func idle(wait: Int64, count: Int) throws {
        var bench = Bench()
        try bench.add(1)
        bench.answer(try bench.order(), 200)
        bench.pass(wait)
        try bench.add(2, 3, 4, 5, 6)
        #expect(bench.orders().count == count)
    }

    @Test("When there is no time left, all is put off and nothing is under way")
    func giveUp() throws {
        var bench = Bench()
        try bench.add(1, 2, 3)
        let order = try bench.order()
        bench.effects += bench.sender.giveUp(bench.now)
        #expect(bench.sender.count == 0 && bench.sender.inFlight == 0)
        for id in ["n1", "n2", "n3"] {
            #expect(bench.endings[id] == deferred(1_000, attempts: 0, PushReason.interrupted))
        }
        // An answer that comes later is nobody's.
        bench.answer(order, 200)
        #expect(bench.endings["n1"] == deferred(1_000, attempts: 0, PushReason.interrupted))
    }

    @Test("A token that is none is not put into a path", arguments: ["", "../x", "aa\r\nx", "ag", "aa bb"])
    func malformedToken(token: String) throws {
        var bench = Bench()
        try bench.add(1) { $0.address.token = token }
        #expect(bench.endings["n1"] == .failed(reason: token.isEmpty ? PushReason.noToken : PushReason.malformedToken))
    }

    @Test("Whatever is answered in whatever order, each push ends once, and nothing is left under way")
    func generated() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 { try run(&random, seed) }
    }

    private func run(_ random: inout SplitMix64, _ seed: UInt64) throws {
        var bench = Bench(keys: 2) { $0.streams = Int.random(in: 1...8, using: &random) }
        let count = Int.random(in: 1...40, using: &random)
        for number in 1...count {
            let (key, isSandbox) = (Int.random(in: 0...1, using: &random), Bool.random(using: &random))
            let left = Int64.random(in: 1...3_600_000, using: &random)
            try bench.add(number) { push in
                (push.key, push.address.isSandbox) = (key, isSandbox)
                push.validUntil = Instant(milliseconds: 1_000_000_000_000 + left)
            }
        }
        var under: [PushSender.Order] = []
        for _ in 0..<3_000 where bench.sender.count > 0 {
            under += bench.orders()
            #expect(Set(under.map(\.ticket)).count == under.count, "seed \(seed)")
            guard let place = under.indices.randomElement(using: &random) else {
                bench.pass(Int64.random(in: 1...60_000, using: &random))
                continue
            }
            react(under.remove(at: place), &bench, &random)
        }
        let ended = bench.effects.compactMap { if case .ended(let push, _) = $0 { push.id } else { nil } }
        #expect(ended.count == count && Set(ended).count == count, "seed \(seed)")
        #expect(bench.sender.count == 0 && bench.sender.inFlight == 0, "seed \(seed)")
    }

    private func react(_ order: PushSender.Order, _ bench: inout Bench, _ random: inout SplitMix64) {
        let answers = [
            (200, ""), (200, ""), (200, ""), (400, "BadDeviceToken"), (403, "ExpiredProviderToken"),
            (403, "InvalidProviderToken"),
            (410, "Unregistered"), (429, "TooManyRequests"), (500, "InternalServerError"), (503, "ServiceUnavailable"),
            (503, "Shutdown"), (400, "IdleTimeout"),
        ]
        let failures: [PushFailure] = [
            .notConnected, .notSent, .lost(mayHaveArrived: true), .lost(mayHaveArrived: false), .silent,
        ]
        if Int.random(in: 0..<4, using: &random) == 0 {
            bench.fail(order, failures.randomElement(using: &random)!)
        } else {
            let (status, reason) = answers.randomElement(using: &random)!
            bench.answer(order, status, reason)
        }
        bench.pass(Int64.random(in: 0...2_000, using: &random))
    }
}
