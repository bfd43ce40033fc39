internal import RationJSON
public import RationModel
public import RationPlanner
internal import RationWire

/// The core without a network (semantics.md section 7): steps in, events out, a line each.
public struct Simulator: ~Copyable {
    private var core: Core
    private var reader: StepReader
    private var batch = IntentBatch()
    private var decision = Decision()
    private var writer = JSONWriter(capacity: 1 << 16)

    /// - Parameter categories: those that apps have declared; the core's policy says what becomes of others. nil: no category
    ///   is looked at.
    public init(core: consuming Core, categories: CategoryDeclarations? = nil) {
        let check = categories.map { CategoryCheck($0, rule: core.policy.categories) }
        reader = StepReader(zones: core.zones, categories: check ?? CategoryCheck())
        self.core = core
    }

    /// Runs one step: first whatever falls due before it, each batch at its own instant, unless the broker is taken to
    /// have been off; then the step's intents at its instant.
    /// - Parameters:
    ///   - line: a step, without its `\n`.
    ///   - output: called with whole lines, each with its `\n`.
    /// - Throws: for a line that is no step; then nothing has happened.
    public mutating func step(
        _ line: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) -> Void
    ) throws(StepFault) {
        let step = try reader.read(line, into: &batch)
        let nothing = IntentBatch()
        while let wake = core.wake(before: step) {
            core.decide(nothing, clock: wake, into: &decision)
            writeEvents()
            flush(output, atLeast: 1 << 16)
        }
        core.decide(batch, clock: step.now, into: &decision)
        writeEvents()
        writeRejections()
        writeWarnings()
        flush(output, atLeast: 1)
    }

    private mutating func flush(_ output: (UnsafeRawBufferPointer) -> Void, atLeast: Int) {
        guard writer.bytes.count >= atLeast else { return }
        writer.bytes.withUnsafeBytes(output)
        writer.bytes.removeAll(keepingCapacity: true)
    }

    /// Writes one line for each recipient that an accepted `device` or `schedule` has ever named.
    public mutating func writePlans(output: (UnsafeRawBufferPointer) -> Void) {
        for plan in core.plans {
            writer.raw(#"{"kind":"plan","app":"#)
            writer.string(plan.app)
            writer.raw(#","device":"#)
            writer.string(plan.device)
            write("held", plan.held)
            write("queued", plan.queued)
            writer.raw("}\n")
            flush(output, atLeast: 1 << 16)
        }
        flush(output, atLeast: 1)
    }

    private mutating func write(_ name: StaticString, _ notifications: [PlannedNotification]) {
        writer.byte(UInt8(ascii: ","))
        writer.key(name)
        writer.byte(UInt8(ascii: "["))
        for (index, notification) in notifications.enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            writer.byte(UInt8(ascii: "["))
            writer.string(notification.id)
            writer.byte(UInt8(ascii: ","))
            writer.string(notification.fireDate.rfc3339)
            writer.byte(UInt8(ascii: "]"))
        }
        writer.byte(UInt8(ascii: "]"))
    }

    private mutating func writeEvents() {
        let events = decision.events
        for event in events.events {
            writeHead(event.kind.name)
            let recipient = events.recipients[Int(event.recipient)]
            write("app", recipient.app, of: events.bytes)
            write("device", recipient.device, of: events.bytes)
            write("id", event.id, of: events.bytes)
            writer.raw(#","fireDate":"#)
            writer.string(event.fireDate.rfc3339)
            if event.cause != .none { writeWord("cause", event.cause.name) }
            if event.reason != .none { writeWord("reason", event.reason.name) }
            if let isFinal = event.isFinal { writer.raw(isFinal ? #","final":true"# : #","final":false"#) }
            writer.raw("}\n")
        }
    }

    private mutating func writeRejections() {
        for problem in decision.problems { write("rejected", problem.rejection, of: problem.intent) }
    }

    /// What is told of intents that were taken nevertheless.
    private mutating func writeWarnings() {
        let warnings = (batch.warnings + decision.warnings).sorted { $0.intent < $1.intent }
        for warning in warnings where decision.outcomes[warning.intent] != .rejected {
            write("warning", warning.finding, of: warning.intent)
        }
    }

    private mutating func write(_ kind: StaticString, _ rejection: Rejection, of place: Int) {
        let intent = batch.intents[place]
        writeHead(kind)
        write("app", intent.app, of: batch.bytes)
        write("device", intent.device, of: batch.bytes)
        write("id", intent.id, of: batch.bytes)
        writeWord("error", "")
        writer.bytes.removeLast()
        writer.bytes.append(contentsOf: rejection.code.rawValue.utf8)
        writer.raw(#"","field":"#)
        writer.string(rejection.field)
        writer.raw(#","message":"#)
        writer.string(rejection.message)
        writer.raw("}\n")
    }

    private mutating func writeHead(_ kind: StaticString) {
        writer.raw(#"{"at":"#)
        writer.string(decision.now.rfc3339)
        writeWord("kind", kind)
    }

    private mutating func writeWord(_ name: StaticString, _ word: StaticString) {
        writer.byte(UInt8(ascii: ","))
        writer.key(name)
        writer.byte(UInt8(ascii: "\""))
        writer.raw(word)
        writer.byte(UInt8(ascii: "\""))
    }

    /// An absent one, as in a line that could not be read, is left out.
    private mutating func write(_ name: StaticString, _ range: ByteRange, of bytes: ByteArena) {
        guard !range.isEmpty else { return }
        writer.byte(UInt8(ascii: ","))
        writer.key(name)
        bytes.with(range) { writer.string($0) }
    }
}
