import RationModel

/// The state of one installation: what is pending, what it remembers, its settings. Its name, its notifications' records
/// and remembered ids share one buffer, so that planning it touches few pieces of memory.
struct Recipient: ~Copyable {
    /// Lengths of `app NUL device`, the key that its bytes begin with, and of the app in it. NUL sorts before every byte
    /// of an app, so that keys sort by (app, device).
    private let keyCount: UInt16
    private let appCount: UInt16
    /// An accepted `device` or `schedule` has named it.
    var isNamed = false
    /// Whether its record lacks something.
    var isChanged = false
    /// Whether it had nothing left when idle ones were last looked for, and no batch has touched it since.
    var isIdle = false
    /// Whether its records hold `StoredContent`s instead of contents.
    var hasStoredContents = false
    var delivery = Delivery.push
    /// The place of its time zone among the planner's; 0 is the policy's.
    var zone: UInt16 = 0
    var reserved: Int32 = 0
    /// Place among a batch's touched recipients; -1 outside.
    var touched: Int32 = -1
    /// Bytes that nothing uses any more.
    var unusedBytes: UInt32 = 0
    /// The number of the revision under which it was last planned.
    var revision: UInt32
    /// When it next needs a batch by itself.
    var wake = Instant.distantFuture
    /// Sorted by (fire date, priority, id) between batches.
    var pending = OwnedBuffer<PendingNotification>()
    /// Oldest first.
    var remembered = OwnedBuffer<Remembered>()
    /// What has fired, as long as a rule may look at it; oldest first.
    var history = OwnedBuffer<Fired>()
    var bytes = OwnedBuffer<UInt8>()
    /// The settings that few devices have told; nil for none.
    var settings: StoredSettings?

    init(key: UnsafeRawBufferPointer, appCount: Int, revision: UInt32) {
        // Validation limits an app and a device to 128 bytes each.
        keyCount = UInt16(truncatingIfNeeded: key.count)
        self.appCount = UInt16(truncatingIfNeeded: appCount)
        self.revision = revision
        _ = bytes.append(key)
    }

    @inline(__always)
    var key: UnsafeRawBufferPointer { bytes.view(ByteRange(offset: 0, count: Int(keyCount))) }
    var app: UnsafeRawBufferPointer { bytes.view(ByteRange(offset: 0, count: Int(appCount))) }
    var device: UnsafeRawBufferPointer {
        bytes.view(ByteRange(offset: Int(appCount) + 1, count: Int(keyCount) - Int(appCount) - 1))
    }

    @inline(__always)
    func record(_ notification: PendingNotification) -> Record {
        Record(UnsafeRawBufferPointer(bytes.elements), of: notification)
    }

    @inline(__always)
    func id(_ notification: PendingNotification) -> UnsafeRawBufferPointer {
        bytes.view(record(notification).id)
    }

    /// Where the notification of that id is pending; nil if it is not.
    func place(ofID id: UnsafeRawBufferPointer, hash: UInt16) -> Int? {
        for index in pending.indices where pending[index].idHash == hash && !pending[index].has(.ended) {
            if self.id(pending[index]).isSame(as: id) { return index }
        }
        return nil
    }
}

/// The first fire date that passed without its notification's firing (semantics.md section 5.2).
extension Recipient {
    /// `distantFuture` for none.
    @inline(__always)
    func passedDate(_ notification: PendingNotification) -> Instant {
        guard notification.has(.hasPassedRoom) else { return .distantFuture }
        return Record.passedDate(UnsafeRawBufferPointer(bytes.elements), of: notification)
    }

    mutating func setPassedDate(_ date: Instant, ofPending index: Int) {
        if !pending[index].has(.hasPassedRoom) {
            let size = record(pending[index]).byteCount
            let start = Record.copyWithPassedRoom(of: pending[index], byteCount: size, in: &bytes)
            unusedBytes += UInt32(size)
            pending[index].record = start
            pending[index].flags.insert(.hasPassedRoom)
        }
        Record.setPassedDate(date, of: pending[index], in: UnsafeMutableRawBufferPointer(bytes.elements))
    }
}

/// Keeping the bytes small.
extension Recipient {
    /// Puts a record that stands last into the place of the one that it has replaced, if it fits there: replacing again
    /// and again takes no room.
    /// - Parameter old: the one that was replaced, with a record that nothing uses any more.
    mutating func moveLastRecord(of index: Int, toPlaceOf old: PendingNotification) {
        let size = record(pending[index]).byteCount
        let room = record(old).byteCount
        guard size <= room, Int(pending[index].record) + size == bytes.count, old.record < pending[index].record else {
            return
        }
        bytes.copyWithin(from: Int(pending[index].record), to: Int(old.record), count: size)
        bytes.removeLast(size)
        pending[index].record = old.record
        // The old record counted as unused.
        unusedBytes -= UInt32(size)
    }

    /// Rewrites the bytes without what is unused, once that is most of them.
    /// - Parameter kept: memory to work in.
    mutating func compactIfWasteful(through kept: inout OwnedBuffer<UInt8>) {
        guard unusedBytes > 512, Int(unusedBytes) * 2 > bytes.count else { return }
        kept.removeAll()
        _ = kept.append(key)
        for index in pending.indices {
            let start = Int(pending[index].record)
            let range = ByteRange(offset: start, count: record(pending[index]).byteCount)
            pending[index].record = kept.append(bytes.view(range)).offset
        }
        for index in remembered.indices {
            remembered[index].id = kept.append(bytes.view(remembered[index].id))
        }
        for index in history.indices {
            history[index].id = kept.append(bytes.view(history[index].id))
            history[index].type = kept.append(bytes.view(history[index].type))
        }
        bytes.assign(kept)
        unusedBytes = 0
    }
}

/// A device's settings on the heap: most recipients have none.
final class StoredSettings: Sendable {
    let value: DeviceSettings
    /// The rules that its settings change; nil if they are the policy's.
    let rules: CompiledRules?

    init(_ value: DeviceSettings, rules: CompiledRules?) {
        self.value = value
        self.rules = rules
    }
}
