import RationModel

/// The state of one installation: what is pending, what it remembers, its settings. Its name, its notifications' records
/// and remembered ids share one buffer, so that planning it touches three pieces of memory.
struct Recipient: ~Copyable {
    /// Lengths of `app NUL device`, the key that its bytes begin with, and of the app in it. NUL sorts before every byte
    /// of an app, so that keys sort by (app, device).
    private let keyCount: UInt16
    private let appCount: UInt16
    /// An accepted `device` or `schedule` has named it.
    var isNamed = false
    var delivery = Delivery.push
    var reserved: Int32 = 0
    /// Place among a batch's touched recipients; -1 outside.
    var touched: Int32 = -1
    /// Bytes that no record or remembered id uses any more.
    var unusedBytes: UInt32 = 0
    /// When it next needs a batch by itself.
    var wake = Instant.distantFuture
    /// Sorted by (fire date, priority, id) between batches.
    var pending = OwnedBuffer<PendingNotification>()
    /// Oldest first.
    var remembered = OwnedBuffer<Remembered>()
    var bytes = OwnedBuffer<UInt8>()
    /// The settings that few devices have told; nil for none.
    var settings: StoredSettings?

    init(key: UnsafeRawBufferPointer, appCount: Int) {
        // Validation limits an app and a device to 128 bytes each.
        keyCount = UInt16(truncatingIfNeeded: key.count)
        self.appCount = UInt16(truncatingIfNeeded: appCount)
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
        Record(UnsafeRawBufferPointer(bytes.elements), at: notification.record)
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

    /// Puts a record that stands last into the place of the one that it has replaced, if it fits there: replacing again
    /// and again takes no room.
    mutating func moveLastRecord(of index: Int, to place: UInt32) {
        let size = record(pending[index]).byteCount
        let room = Record(UnsafeRawBufferPointer(bytes.elements), at: place).byteCount
        guard size <= room, Int(pending[index].record) + size == bytes.count, place < pending[index].record else {
            return
        }
        bytes.copyWithin(from: Int(pending[index].record), to: Int(place), count: size)
        bytes.removeLast(size)
        pending[index].record = place
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
        bytes.assign(kept)
        unusedBytes = 0
    }
}

/// A device's settings on the heap: most recipients have none.
final class StoredSettings: Sendable {
    let value: DeviceSettings

    init(_ value: DeviceSettings) {
        self.value = value
    }
}

/// An `at` that fired or expired: sent again unchanged, it changes nothing (semantics.md section 2, "Unchanged").
struct Remembered: BitwiseCopyable {
    /// The trigger's date as it was written.
    var trigger: Int64
    var endedAt: Instant
    var id: ByteRange
    var idHash: UInt16
}

extension Recipient {
    /// Whether an `at` with that id and date fired or expired here and is still remembered.
    func remembers(id: UnsafeRawBufferPointer, hash: UInt16, trigger: Int64, now: Instant) -> Bool {
        remembered.elements.contains { entry in
            entry.trigger == trigger && entry.idHash == hash
                && now.milliseconds - entry.endedAt.milliseconds < Limits.rememberedMilliseconds
                && bytes.view(entry.id).isSame(as: id)
        }
    }

    /// Remembers one that has ended; its record's other bytes become unused, and so do ids that are forgotten for it.
    mutating func remember(_ record: Record, hash: UInt16, now: Instant) {
        unusedBytes += UInt32(record.byteCount) - record.id.count
        let oldest = now.advanced(by: -Limits.rememberedMilliseconds)
        var forgotten = max(0, remembered.count + 1 - Limits.rememberedCount)
        while forgotten < remembered.count, remembered[forgotten].endedAt <= oldest { forgotten += 1 }
        for entry in remembered.elements[..<forgotten] { unusedBytes += entry.id.count }
        remembered.removeFirst(forgotten)
        remembered.append(Remembered(trigger: record.trigger, endedAt: now, id: record.id, idHash: hash))
    }
}
