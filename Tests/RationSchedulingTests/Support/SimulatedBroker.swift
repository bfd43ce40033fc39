import RationJSON
import RationModel
import RationWire

/// A broker without slots, caps or zones: what a scheduler can see of one, as semantics.md and wire.md say it.
final class SimulatedBroker {
    struct Pending: Hashable {
        var date: Int64
        var expires: Int64
        var title: String
        var deliver: Bool
    }

    struct Place: Hashable {
        var device: String
        var id: String
    }

    /// What a backup has.
    struct Data {
        var pending: [Place: Pending] = [:]
        /// Fired or expired `at`s, by id and requested date.
        var fired: [Place: Int64] = [:]
        var batch: UInt64 = 0
        var last: UInt64?
        var answers: [UInt64: [UInt8]] = [:]
    }

    static let app = "com.x"
    var log = "log-1"
    var data = Data()
    var now = Instant(milliseconds: 1_000_000)
    private(set) var events: [ReceivedEvent] = []
    var lastSequence: UInt64 = 0
    /// The last position that is kept no more.
    private(set) var gone: UInt64 = 0
    /// Lines that came, for tests that look at what was sent.
    var received: [String] = []
    /// Codes by id: such lines are rejected.
    var rejections: [String: String] = [:]
    private var parser = JSONParser()

    /// What is pending under the scheduler's prefix.
    var pending: [Place: Pending] { data.pending.filter { $0.key.id.hasPrefix("t.") } }

    // MARK: What happens by itself

    /// Time passes; what falls due fires.
    func advance(to milliseconds: Int64) {
        now = Instant(milliseconds: milliseconds)
        let due = data.pending.filter { $0.value.date <= milliseconds }.sorted {
            ($0.value.date, $0.key.device, $0.key.id) < ($1.value.date, $1.key.device, $1.key.id)
        }
        guard !due.isEmpty else { return }
        data.batch += 1
        for (place, _) in due { end(place, .due) }
    }

    func evict(_ place: Place, kind: EventKind = .evicted) {
        data.batch += 1
        end(place, kind)
    }

    private func end(_ place: Place, _ kind: EventKind) {
        guard let pending = data.pending.removeValue(forKey: place) else { return }
        if kind == .due || kind == .expired { data.fired[place] = pending.date }
        tell(place, kind, pending.date)
    }

    private func tell(_ place: Place, _ kind: EventKind, _ date: Int64) {
        lastSequence += 1
        var event = ReceivedEvent(
            sequence: lastSequence, time: now, kind: kind, app: Self.app, device: place.device, id: place.id,
            type: "test",
            priority: 0, fireDate: Instant(milliseconds: date), requestedDate: Instant(milliseconds: date),
            batch: data.batch)
        event.isFinal = true
        events.append(event)
    }

    /// The log forgets all events up to now.
    func forgetEvents() {
        events = []
        gone = lastSequence
    }

    /// A broker that is set up anew from an older copy: its events begin anew under another name.
    func restore(_ copy: Data, log: String) {
        (data, self.log) = (copy, log)
        (events, lastSequence, gone) = ([], 0, 0)
    }

    func page(after position: UInt64, most: Int) -> (events: [ReceivedEvent], next: UInt64) {
        let rest = events.filter { $0.sequence > position }
        let page = Array(rest.prefix(most))
        return (page, page.count == rest.count ? lastSequence : page.last?.sequence ?? lastSequence)
    }

    // MARK: Requests

    /// - Returns: the acknowledgement's body; nil for a number out of order.
    func publish(_ number: UInt64, _ body: [UInt8]) -> [UInt8]? {
        if let old = data.answers[number], number <= data.last ?? 0 { return old }
        guard number == (data.last ?? 0) + 1 else { return nil }
        data.batch += 1
        var outcomes: [Outcome] = []
        var problems: [(index: Int, id: String, code: String)] = []
        body.withUnsafeBytes { bytes in
            Lines.forEach(in: bytes) { line in
                received.append(String(decoding: line, as: UTF8.self))
                guard let value = try? parser.parse(line, isPadded: false) else { return outcomes.append(.rejected) }
                let (outcome, code) = apply(value)
                if let code { problems.append((outcomes.count, value["id"]?.text ?? "", code)) }
                outcomes.append(outcome)
            }
        }
        let answer = acknowledgement(outcomes, problems)
        data.answers[number] = answer
        data.last = number
        return answer
    }

    private func acknowledgement(
        _ outcomes: [Outcome], _ problems: [(index: Int, id: String, code: String)]
    ) -> [UInt8] {
        let list = problems.map {
            #"{"index":\#($0.index),"id":"\#($0.id)","level":"error","code":"\#($0.code)","field":"","message":"no"}"#
        }
        let letters = String(decoding: outcomes.map(\.rawValue), as: UTF8.self)
        return Array(
            (#"{"log":"\#(log)","batch":\#(data.batch),"now":\#(now.milliseconds),"outcomes":"\#(letters)","#
                + #""problems":[\#(list.joined(separator: ","))]}"#).utf8)
    }

    private func apply(_ line: JSONValue) -> (Outcome, code: String?) {
        let device = line["device"]?.text ?? ""
        guard line["op"]?.text == "cancel" else { return schedule(line, device) }
        let found =
            if let id = line["id"]?.text {
                data.pending.keys.filter { $0.device == device && $0.id == id }
            } else {
                data.pending.keys.filter { $0.device == device && $0.id.hasPrefix(line["prefix"]?.text ?? "!") }
            }
        for place in found.sorted(by: { $0.id < $1.id }) { end(place, .cancelled) }
        return (found.isEmpty ? .notFound : .cancelled, nil)
    }

    private func schedule(_ line: JSONValue, _ device: String) -> (Outcome, code: String?) {
        let place = Place(device: device, id: line["id"]?.text ?? "")
        if let code = rejections[place.id] { return (.rejected, code) }
        let isDelivered = line["overdue"]?.text == "deliver"
        let wall = line["trigger"]?["calendar"].map(Self.instant)
        let at = line["trigger"]?["at"]?.text.flatMap { Instant(rfc3339: $0)?.milliseconds }
        let expires = line["expires"]?.text.flatMap { Instant(rfc3339: $0)?.milliseconds } ?? .max
        var new = Pending(
            date: at ?? wall ?? 0, expires: expires, title: line["content"]?["title"]?.text ?? "", deliver: isDelivered)
        if data.pending[place] == new { return (.unchanged, nil) }
        if data.pending[place] == nil, at != nil, data.fired[place] == new.date { return (.unchanged, nil) }
        if wall != nil, new.date <= now.milliseconds { return (.rejected, "trigger.never") }
        if new.date <= now.milliseconds {
            guard isDelivered else { return (.rejected, "trigger.past") }
            guard expires > now.milliseconds else { return (.rejected, "expires.beforeFire") }
        }
        guard expires > new.date else { return (.rejected, "expires.beforeFire") }
        new.date = at ?? wall ?? 0
        data.pending[place] = new
        return (.held, nil)
    }

    /// Every device's clock shows UTC.
    private static func instant(_ calendar: JSONValue) -> Int64 {
        func part(_ name: StaticString) -> Int { Int(calendar[name]?.integer ?? 0) }
        let days = Instant.days(year: part("year"), month: part("month"), day: part("day"))
        return days * 86_400_000 + Int64(part("hour") * 3_600 + part("minute") * 60 + part("second")) * 1_000
    }
}
