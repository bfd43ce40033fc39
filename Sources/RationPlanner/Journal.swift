import RationModel

/// Writes what a batch changes of each recipient that it touches, so that the same state can be made again without
/// deciding (store.md, "Starting"). The writing is spread over the batch: the planner tells what it does as it does it.
///
/// A row is one recipient after another: `length u32` of what follows, `key u16+bytes, app length u16, form u8, scalars, settings, pending, history,
/// remembered`. What is pending is told in its new order, as operations on the order before the batch.
struct Journal: ~Copyable {
    /// What a recipient's part starts from.
    enum Form: UInt8 {
        /// The recipient as it was before the batch.
        case change
        /// Nothing: the part is the whole recipient.
        case image
    }

    /// How one or several notifications are told.
    enum Operation: UInt8 {
        /// `from u16, count u16`: as they were.
        case copy
        /// `from u16, entry`: the record stays.
        case change
        /// `entry, record`.
        case put
    }

    /// Bytes of an operation that puts a notification, besides its record.
    static let entryBytes = 29

    /// Whether anything is written.
    var isOn: Bool
    var bytes = OwnedBuffer<UInt8>()
    /// What the recipient at hand had before the batch.
    var historyBefore = 0
    var rememberedBefore = 0
    /// What has joined since.
    var joined = 0
    var newlyRemembered = 0
    /// Whether it has changed in a way that is told as an image only.
    var needsImage = false
    /// Whether an intent has named its settings.
    var namesSettings = false
    /// A run of notifications that stay as they were, not yet written.
    private var run: Range<Int> = 0..<0
    /// Where the length of the part at hand stands.
    private var part = 0

    init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Starts a batch.
    mutating func beginBatch() {
        bytes.removeAll()
    }

    /// Starts a recipient.
    mutating func begin(_ recipient: borrowing Recipient) {
        historyBefore = recipient.history.count
        rememberedBefore = recipient.remembered.count
        (joined, newlyRemembered) = (0, 0)
        (needsImage, namesSettings) = (false, false)
    }

    /// Some stay as they were.
    /// - Parameter range: their places before the batch.
    mutating func copy(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if run.upperBound == range.lowerBound, !run.isEmpty {
            run = run.lowerBound..<range.upperBound
        } else {
            endRun()
            run = range
        }
    }

    mutating func endRun() {
        guard !run.isEmpty else { return }
        bytes.put(Operation.copy.rawValue)
        bytes.put(UInt16(truncatingIfNeeded: run.lowerBound))
        bytes.put(UInt16(truncatingIfNeeded: run.count))
        run = 0..<0
    }

    /// One has another entry and the record that it had.
    mutating func change(from place: Int, _ notification: PendingNotification, _ recipient: borrowing Recipient) {
        endRun()
        bytes.put(Operation.change.rawValue)
        bytes.put(UInt16(truncatingIfNeeded: place))
        put(entry: notification)
        // What a record has that may change.
        if notification.has(.hasPassedRoom) { bytes.put(recipient.passedDate(notification)) }
        if notification.has(.calendar) {
            let stored = UnsafeRawBufferPointer(recipient.bytes.elements)
            bytes.put(StoredCalendar(stored, at: recipient.record(notification).calendar).begin)
        }
    }

    /// One that is new.
    mutating func put(_ notification: PendingNotification, _ recipient: borrowing Recipient) {
        endRun()
        bytes.put(Operation.put.rawValue)
        put(entry: notification)
        let record = recipient.record(notification)
        bytes.put(
            counted: recipient.bytes.view(ByteRange(offset: Int(notification.record), count: record.byteCount)))
    }

    private mutating func put(entry notification: PendingNotification) {
        bytes.put(notification.fireDate)
        bytes.put(notification.requestedDate)
        bytes.put(notification.priority)
        bytes.put(notification.typeIndex)
        bytes.put(notification.idHash)
        bytes.put(notification.flags.subtracting(.ofBatch).rawValue)
    }
}

/// The parts of a recipient.
extension Journal {
    /// Its name, how it is told, and its numbers.
    mutating func putHead(_ recipient: borrowing Recipient, _ form: Form) {
        part = bytes.count
        bytes.put(UInt32(0))
        bytes.put(counted: recipient.key)
        bytes.put(UInt16(truncatingIfNeeded: recipient.app.count))
        bytes.put(form.rawValue)
        bytes.put(UInt8(recipient.isNamed ? 1 : 0))
        bytes.put(recipient.revision)
        bytes.put(recipient.wake)
        let isTold = form == .image || namesSettings
        bytes.put(UInt8(isTold ? 1 : 0))
        if isTold { bytes.put(recipient.settings) { $0.value.write(to: &$1) } }
        bytes.put(UInt16(truncatingIfNeeded: recipient.pending.count))
    }

    /// What has fired and what is remembered: how many of the oldest went, and what came.
    mutating func putTail(_ recipient: borrowing Recipient, _ form: Form) {
        let fired = putCounts(of: recipient.history.count, before: historyBefore, added: joined, form)
        for entry in recipient.history.elements.suffix(fired) {
            bytes.put(entry.date)
            bytes.put(entry.thread)
            bytes.put(entry.typeIndex)
            bytes.put(entry.level.rawValue)
            bytes.put(counted: recipient.bytes.view(entry.id))
            bytes.put(counted: recipient.bytes.view(entry.type))
        }
        let ended = putCounts(of: recipient.remembered.count, before: rememberedBefore, added: newlyRemembered, form)
        for entry in recipient.remembered.elements.suffix(ended) {
            bytes.put(entry.trigger)
            bytes.put(entry.endedAt)
            bytes.put(entry.idHash)
            bytes.put(counted: recipient.bytes.view(entry.id))
        }
        let length = UInt32(truncatingIfNeeded: bytes.count - part - MemoryLayout<UInt32>.size)
        UnsafeMutableRawBufferPointer(bytes.elements).storeBytes(
            of: length.littleEndian, toByteOffset: part, as: UInt32.self)
    }

    /// - Returns: how many entries follow.
    private mutating func putCounts(of count: Int, before: Int, added: Int, _ form: Form) -> Int {
        let told = form == .image ? count : min(added, count)
        bytes.put(UInt16(truncatingIfNeeded: form == .image ? 0 : before - (count - told)))
        bytes.put(UInt16(truncatingIfNeeded: told))
        return told
    }

    /// The whole recipient.
    mutating func putImage(_ recipient: borrowing Recipient) {
        putHead(recipient, .image)
        for notification in recipient.pending.elements {
            put(notification, recipient)
        }
        putTail(recipient, .image)
    }
}
