import Synchronization

/// Watches how much room the disk has, and keeps the ballast (store.md, "RocksDB's settings that matter").
final class FreeSpace: Sendable {
    private struct Look {
        var at = Int64.min
        var hasRoom = true
        var hasBallast: Bool
    }

    private let folder: StoreFolder
    private let settings: StoreSettings
    private let look: Mutex<Look>

    /// How old a look at the disk may be.
    private static let lookMilliseconds: Int64 = 100

    init(_ folder: StoreFolder, _ settings: StoreSettings) {
        self.folder = folder
        self.settings = settings
        look = Mutex(Look(hasBallast: folder.disk.isThere(folder.ballast)))
    }

    /// Whether more bytes are free than the watermark wants. When there is more than enough, a ballast that is missing is
    /// made.
    func hasRoom() throws(StoreError) -> Bool {
        try look.withLock { look throws(StoreError) in
            let now = folder.disk.milliseconds()
            guard look.at < now - Self.lookMilliseconds else { return look.hasRoom }
            look.at = now
            let (free, total) = try measure()
            let watermark = watermark(total)
            look.hasRoom = free >= watermark
            if !look.hasBallast, settings.ballastBytes > 0, free >= watermark + UInt64(settings.ballastBytes) {
                look.hasBallast = folder.disk.reserve(folder.ballast, bytes: settings.ballastBytes)
            }
            return look.hasRoom
        }
    }

    private func watermark(_ total: UInt64) -> UInt64 {
        max(UInt64(settings.watermarkBytes), total / 100 * UInt64(settings.watermarkPercent))
    }

    /// Bytes that the disk has free for this user, and in all.
    func measure() throws(StoreError) -> (free: UInt64, total: UInt64) { try folder.disk.space(at: folder.path) }

    /// Bytes that the disk has free for this user; 0 when it does not answer.
    var freeBytes: UInt64 {
        do throws(StoreError) {
            return try measure().free
        } catch {
            return 0
        }
    }

    /// Gives the ballast's room to a start, where less than that is free.
    func releaseBallastIfNeeded() throws(StoreError) {
        if try measure().free < UInt64(settings.ballastBytes) { _ = releaseBallast() }
    }

    /// - Returns: whether there was one.
    func releaseBallast() -> Bool {
        look.withLock { look in
            look.hasBallast = false
            return folder.disk.remove(folder.ballast)
        }
    }
}
