import FrequencyCapRule
import QuietHoursRule
import RationConfiguration
import RationModel
import RationPhone
import RationPlanner
import RationWire
import RationZones
import SoonestOrder

@testable import PlansSubscriber

/// A broker's core, the plans that the subscriber keeps, and phones, on one simulated clock. Phones hear of a plan by pushes
/// only, at the moment at which the subscriber would send them.
struct MonthWorld: ~Copyable {
    struct Device {
        var plan: PhonePlan?
        var pushDate = Instant.distantFuture
        var phone: Phone
        var revision: PlanRevision?
        /// What Ration has said is due.
        var due: [Phone.Shown] = []
        var pushes: [Instant] = []
    }

    private(set) var devices: [Device]
    private(set) var now: Instant
    /// The first things that were not as they should be.
    private(set) var faults: [String] = []
    private(set) var synchronizations = 0
    private var core: Core
    private var reader: IntentReader
    private var batch = IntentBatch()
    private var decision = Decision()
    private var sequence: UInt64 = 0
    private var contents = PhoneNotificationReader()
    private var answers: PhonePlanReader

    private static let log = "simulated"

    init(devices count: Int, start: Instant) throws {
        let zones = try ZoneDatabase()
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let policy = try PolicyReader.read(file: "/\(folder)/deploy/policy.yaml", orders: ["soonest"], zones: zones)
        core = Core(
            policy: CompiledPolicy(policy, order: SoonestOrder(), rules: [QuietHoursSource(), FrequencyCaps()]),
            zones: zones, seed: 0)
        reader = IntentReader(zones: zones)
        answers = PhonePlanReader(zones: zones)
        now = start
        devices = (0..<count).map { number in
            let name = MonthWorkload.zones[number % MonthWorkload.zones.count]
            let zone = Array(name.utf8).withUnsafeBytes { zones.zone(named: $0) } ?? .utc
            let retention = Phone.Retention.allCases[number % Phone.Retention.allCases.count]
            return Device(phone: Phone(clock: start, zone: zone, retention: retention))
        }
    }

    /// Runs what services want, and then up to the end.
    mutating func run(_ lines: [MonthWorkload.Line], until end: Instant) throws {
        var rest = lines[...]
        while true {
            let push = devices.lazy.map(\.pushDate).min() ?? .distantFuture
            let next = min(core.nextWake ?? .distantFuture, rest.first?.time ?? .distantFuture, push)
            guard next <= end else { break }
            now = max(now, next)
            while let line = rest.first, line.time <= now {
                line.bytes.withUnsafeBytes {
                    reader.readLine(UnsafeRawBufferPointer(rebasing: $0.dropLast()), isPadded: false, into: &batch)
                }
                rest.removeFirst()
            }
            try decide()
            try pushAll()
        }
        for number in devices.indices { devices[number].phone.advance(to: end) }
    }

    private mutating func decide() throws {
        core.decide(batch, clock: now, into: &decision)
        batch.removeAll()
        for problem in decision.problems { note("refused: \(problem.rejection.message)") }
        let events = decision.events
        var touched: [Int] = []
        for event in events.events {
            sequence += 1
            let name = events.bytes.text(events.recipients[Int(event.recipient)].device)
            guard let number = Int(name.dropFirst(6)) else { continue }
            if touched.last != number, Plans.kinds.contains(event.kind) { touched.append(number) }
            guard event.kind == .due else { continue }
            devices[number].due.append(
                Phone.Shown(
                    identifier: events.bytes.text(event.id), date: event.fireDate,
                    content: Array(events.bytes.with(event.content) { Array($0) })))
        }
        for number in touched { try update(number) }
    }

    /// What the subscriber does with events of a device.
    private mutating func update(_ number: Int) throws {
        guard let holding = core.holding(app: MonthWorkload.app, device: "phone-\(number)", atMost: 256) else { return }
        let told = ToldHolding(
            delivery: holding.delivery, timeZone: holding.timeZone,
            held: holding.held.map(ToldHolding.Notification.init))
        var plan = devices[number].plan ?? PhonePlan(log: Self.log, sequence: sequence, birth: now)
        _ = plan.update(
            PhonePlan.Held(try contents.notifications(told), log: Self.log, sequence: sequence, now: core.now),
            clock: now)
        devices[number].pushDate = plan.pushDate(now) ?? .distantFuture
        devices[number].plan = plan
    }

    /// Pushes reach phones at once, and their apps ask.
    private mutating func pushAll() throws {
        for number in devices.indices where devices[number].pushDate <= now {
            guard var plan = devices[number].plan else { continue }
            plan.push(now)
            devices[number].pushes.append(now)
            devices[number].phone.advance(to: now)
            if let revision = devices[number].revision { plan.give(revision.number) }
            let received = try answers.read(plan.difference(since: devices[number].revision, now: now).body)
            try devices[number].phone.apply(received)
            devices[number].revision = PlanRevision(received.revision)
            plan.tell(plan.revision)
            devices[number].plan = plan
            devices[number].pushDate = .distantFuture
            compare(number)
        }
    }

    /// A phone that has just asked has pending exactly what Ration holds.
    private mutating func compare(_ number: Int) {
        synchronizations += 1
        guard let held = core.plan(app: MonthWorkload.app, device: "phone-\(number)")?.held else { return }
        let pending = Set(devices[number].phone.pendingIdentifiers)
        let right = Set(held.filter { $0.fireDate > now }.map(\.id))
        if pending != right {
            note(
                "phone-\(number) at \(now.rfc3339): too many \(pending.subtracting(right)), missing \(right.subtracting(pending))"
            )
        }
    }

    private mutating func note(_ fault: String) {
        if faults.count < 10 { faults.append(fault) }
    }
}

extension ToldHolding.Notification {
    init(_ held: HeldNotification) {
        let repetition: ToldHolding.Repetition =
            switch held.repetition {
            case .never: .never
            case .interval(let milliseconds): .interval(milliseconds: milliseconds)
            case .calendar(let pattern, let timeZone): .calendar(pattern, timeZone: timeZone)
            }
        guard case .bytes(let content) = held.content else { preconditionFailure("a content in a store") }
        self.init(
            id: held.id, fireDate: held.fireDate, expires: held.expires == .distantFuture ? nil : held.expires,
            repetition: repetition, content: content)
    }
}
