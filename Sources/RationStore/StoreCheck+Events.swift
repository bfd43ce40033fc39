internal import RationModel
internal import RationRocksDB

/// The event log, and what stands in single rows.
extension StoreCheck {
    /// The log's stretches, revisions and name.
    /// - Returns: where the log begins; nil when that cannot be read.
    mutating func checkState() -> EventSegment? {
        var segments: [EventSegment] = []
        var revisions: UInt64 = 0
        let log = Array(log.utf8)
        var isNamed = false
        checkSealed(.state) { key, body in
            if key.starts(with: StateKey.segment) {
                guard let segment = EventSegment(body) else { return false }
                segments.append(segment)
                return true
            }
            for kind in StoredRevision.Kind.allCases where key.starts(with: StateKey.revisions(kind)) {
                revisions += 1
                return StoredRevision(body, kind: kind) != nil
            }
            guard key.elementsEqual(StateKey.log) else { return true }
            isNamed = body.elementsEqual(log)
            return isNamed
        }
        if !isNamed { find("state: the database is not of the log '\(self.log)', which the file store names") }
        if last.revisions > 0, revisions == 0 { find("state: all revisions are missing") }
        if last.lastSequence > 0, segments.isEmpty { find("state: no stretch of the event log is known") }
        setFirst(segments.first?.first ?? last.lastSequence + 1)
        return segments.first
    }

    /// Every row of the log from its beginning on: its seal, the one before it, and no event missing between them.
    mutating func checkEvents(from segment: EventSegment?) {
        guard let segment else { return }
        var next = segment.first
        var before: (hash: UInt64, end: UInt64)?
        let last = last
        walk(.events, from: NumberKey.bytes(segment.first), span: Self.numbers("events")) { check, key, value in
            guard let first = NumberKey.number(key),
                let sealed = SealedValue(value, key: key, fieldsCount: EventsHead.byteCount)
            else {
                before = nil
                return check.find(
                    "events: the row from \(Self.number("event", key)) on, \(value.count) bytes, is not what was committed"
                )
            }
            let head = EventsHead(sealed.fields)
            guard first <= last.lastSequence else {
                return check.find(
                    "events: there is a row from event \(first) on, beyond the last, \(last.lastSequence)")
            }
            if first != next { check.find("events: \(next) to \(first - 1) are missing or cannot be read") }
            if first == next, let before, head.previous != before.hash || head.position != before.end {
                check.find("events: the row from event \(first) on does not follow the one before it")
            }
            next = first + head.count
            before = (head.seal(sealed.hash), head.position + UInt64(sealed.body.count))
        }
        guard next == last.lastSequence + 1 else {
            return find("events: \(next) to \(last.lastSequence) are missing or cannot be read")
        }
        if let before, before.hash != last.eventsHash || before.end != last.eventsEnd {
            find("events: the last row is not the one that batch \(last.batch) knows")
        }
    }

    /// Publishers, and the answers that they name.
    mutating func checkPublishers() {
        var wanted: [[UInt8]: (name: PublisherName, count: UInt64)] = [:]
        checkSealed(.publishers) { key, body in
            guard let publisher = PublisherTable.Publisher(body), let name = PublisherName(key) else { return false }
            for chunk in publisher.chunks {
                wanted[StateKey.answers(of: name, from: chunk.first)] = (name, chunk.count)
            }
            return true
        }
        checkSealed(.answers) { key, body in
            // What no publisher names is of one that cannot be read.
            guard let (name, count) = wanted.removeValue(forKey: Array(key)) else { return true }
            return AnswersRow.answers(body, of: name).map { UInt64($0.count) >= count } ?? false
        }
        for (key, value) in wanted.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let first = key.withUnsafeBytes { NumberKey.number($0, after: key.count - 8) } ?? 0
            find("answers: the row of publisher '\(value.name)' from number \(first) on is missing or damaged")
        }
    }
}
