internal import RationModel

/// Where a stretch of the event log begins: the log's end moves by whole stretches, so that the index of a log of any size
/// stays small.
struct EventSegment: Hashable {
    /// The first event's sequence number.
    var first: UInt64
    /// Bytes of all rows before it since the log began.
    var position: UInt64
    /// The instants of its first row, and of the row before it.
    var firstNow: Instant
    var nowBefore: Instant

    init(first: UInt64, position: UInt64, firstNow: Instant, nowBefore: Instant) {
        self.first = first
        self.position = position
        self.firstNow = firstNow
        self.nowBefore = nowBefore
    }

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.number(first)
        writer.number(position)
        writer.number(firstNow.milliseconds)
        writer.number(nowBefore.milliseconds)
        return writer.bytes
    }

    /// - Returns: nil for bytes that are none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = FieldReader(bytes)
        guard let first = reader.number(), let position = reader.number(), let firstNow = reader.signedNumber(),
            let nowBefore = reader.signedNumber(), reader.isAtEnd
        else { return nil }
        self.init(
            first: first, position: position, firstNow: Instant(milliseconds: firstNow),
            nowBefore: Instant(milliseconds: nowBefore))
    }
}

/// The stretches of the log that are kept, oldest first.
struct EventSegments {
    /// What a row changes.
    struct Change {
        /// The stretch that begins with it.
        var opened: EventSegment?
        /// Stretches that go.
        var dropped: ArraySlice<EventSegment>
    }

    private(set) var segments: [EventSegment]
    private let retentionBytes: UInt64
    private let retentionMilliseconds: Int64?

    init(_ segments: [EventSegment], _ settings: StoreSettings) {
        self.segments = segments
        retentionBytes = UInt64(max(0, settings.retentionBytes))
        retentionMilliseconds = settings.retentionMilliseconds
    }

    /// - Parameters:
    ///   - first: the row's first event.
    ///   - bytes: how long the row is.
    ///   - end: bytes of all rows before it.
    ///   - nowBefore: the instant of the row before it.
    func change(first: UInt64, bytes: Int, now: Instant, end: UInt64, nowBefore: Instant) -> Change {
        var opened: EventSegment?
        if begins(end: end, now: now) {
            opened = EventSegment(first: first, position: end, firstNow: now, nowBefore: nowBefore)
        }
        let count = segments.count + (opened == nil ? 0 : 1)
        func segment(_ index: Int) -> EventSegment? { index < segments.count ? segments[index] : opened }
        let newEnd = end + UInt64(bytes)
        var dropped = 0
        while dropped + 1 < count, let oldest = segment(dropped), let next = segment(dropped + 1),
            newEnd - oldest.position > retentionBytes || isOld(next.nowBefore, at: now)
        {
            dropped += 1
        }
        return Change(opened: opened, dropped: segments.prefix(dropped))
    }

    /// Whether a row at `end` begins a stretch: the last one has a 4,096th of what is kept.
    private func begins(end: UInt64, now: Instant) -> Bool {
        guard let last = segments.last else { return true }
        if end - last.position >= retentionBytes / 4_096 { return true }
        return retentionMilliseconds.map { last.firstNow.advanced(by: $0 / 1_024) <= now } ?? false
    }

    private func isOld(_ instant: Instant, at now: Instant) -> Bool {
        retentionMilliseconds.map { instant < now.advanced(by: -$0) } ?? false
    }

    mutating func apply(_ change: Change) {
        if let opened = change.opened { segments.append(opened) }
        segments.removeFirst(change.dropped.count)
    }
}
