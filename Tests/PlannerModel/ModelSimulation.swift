import RationModel

/// Section 7's `simulate`, slowly.
struct ModelSimulation {
    let policy: ModelPolicy
    private(set) var recipients: [ModelRecipientName: ModelRecipient] = [:]
    private var now = Int64.min / 2
    private(set) var lines: [String] = []

    /// How often each rule changed something.
    private(set) var uses: [ModelUse: Int] = [:]

    init(policy: Value) {
        self.policy = ModelPolicy(policy)
    }

    /// All lines of a scenario, the plans at the end.
    static func output(_ scenario: Scenario) -> [String] {
        var model = ModelSimulation(policy: scenario.policy)
        for step in scenario.steps { model.step(step) }
        model.writePlans()
        return model.lines
    }

    mutating func step(_ step: Step) {
        while !step.isDown, let wake = nextWake, wake < step.now { decide([], clock: wake) }
        decide(step.intents, clock: step.now)
    }

    mutating func writePlans() {
        for (name, recipient) in recipients.sorted(by: { $0.key < $1.key }) where recipient.isNamed {
            let pending = recipient.pending.sorted(by: ModelNotification.soonest)
            lines.append(
                #"{"kind":"plan",\#(Self.fields(name)),"held":[\#(Self.list(pending.filter(\.isHeld)))],"#
                    + #""queued":[\#(Self.list(pending.filter { !$0.isHeld }))]}"#)
        }
    }

    private mutating func decide(_ intents: [Value], clock: Int64) {
        let woken = Set(recipients.filter { wake($0.value).map { $0 <= max(now, clock) } ?? false }.keys)
        now = max(now, clock)
        var batches: [ModelRecipientName: ModelBatch] = [:]
        for name in woken { batches[name] = batch(name, isWoken: true) }
        var rejections: [String] = []
        for value in intents {
            do throws(ModelRejection) {
                let intent = try ModelIntent(value, policy: policy, zones: ModelZone.names)
                var batch = batches[intent.recipient] ?? batch(intent.recipient, isWoken: false)
                defer { batches[intent.recipient] = batch }
                try batch.apply(intent.request)
            } catch {
                rejections.append(rejection(value, error))
            }
        }
        for (name, batch) in batches.sorted(by: { $0.key < $1.key }) { finish(batch, name) }
        lines += rejections
    }

    private func batch(_ name: ModelRecipientName, isWoken: Bool) -> ModelBatch {
        ModelBatch(recipients[name] ?? ModelRecipient(), policy: policy, now: now, isWoken: isWoken)
    }

    private mutating func finish(_ batch: ModelBatch, _ name: ModelRecipientName) {
        var batch = batch
        batch.fire()
        if batch.isTouched { batch.plan() }
        batch.tellDifference()
        for use in batch.uses { uses[use, default: 0] += 1 }
        recipients[name] = batch.recipient
        lines += batch.events.map { line($0, name) }
    }
}

/// Section 5.3: what wakes a batch.
extension ModelSimulation {
    private var nextWake: Int64? {
        recipients.values.compactMap(wake).min()
    }

    private func wake(_ recipient: ModelRecipient) -> Int64? {
        var first: Int64?
        for notification in recipient.pending {
            guard let wake = wake(notification) else { continue }
            first = min(first ?? wake, wake)
        }
        return first
    }

    private func wake(_ notification: ModelNotification) -> Int64? {
        if notification.isHeld || notification.fireDate > now { return notification.fireDate }
        let neverLate = !notification.wish.isRepeating && notification.wish.delivers
        let lateFrom = neverLate ? nil : notification.time + policy.grace + 1
        // "Only when its `grace` or `expires` ends": also the `expires` of a repeating one, which ends nothing.
        return [lateFrom, notification.wish.expires].compactMap { $0 }.filter { $0 > now }.min()
    }
}

/// Output lines.
extension ModelSimulation {
    private static func date(_ milliseconds: Int64) -> String {
        "\"\(Instant(milliseconds: milliseconds).rfc3339)\""
    }

    private static func fields(_ name: ModelRecipientName) -> String {
        "\"app\":\(Value.quoted(name.app)),\"device\":\(Value.quoted(name.device))"
    }

    private static func list(_ pending: [ModelNotification]) -> String {
        pending.map { "[\(Value.quoted($0.id)),\(date($0.fireDate))]" }.joined(separator: ",")
    }

    private func line(_ event: ModelEvent, _ name: ModelRecipientName) -> String {
        var line = "{\"at\":\(Self.date(now)),\"kind\":\"\(event.kind)\",\(Self.fields(name))"
        line += ",\"id\":\(Value.quoted(event.notification.id)),\"fireDate\":\(Self.date(event.notification.fireDate))"
        if let cause = event.cause { line += ",\"cause\":\"\(cause)\"" }
        if let reason = event.reason { line += ",\"reason\":\"\(reason)\"" }
        if let isFinal = event.isFinal { line += ",\"final\":\(isFinal)" }
        return line + "}"
    }

    private func rejection(_ intent: Value, _ error: ModelRejection) -> String {
        var line = "{\"at\":\(Self.date(now)),\"kind\":\"rejected\""
        // Of a line that is no JSON the names need not be readable.
        for name in ["app", "device", "id"] where error.code != "json" {
            if let text = intent[Text(name)]?.text, text != "" { line += ",\"\(name)\":\(Value.quoted(text))" }
        }
        return line + ",\"error\":\"\(error.code)\"}"
    }
}
