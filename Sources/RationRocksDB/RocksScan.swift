internal import CRocksDB
internal import Glibc
internal import Synchronization

extension RocksDatabase {
    /// Lends each row of a family as it is now, in the order of their keys. Another thread reads ahead, so that what the caller
    /// does with a row and RocksDB's work take a processor each. The blocks that are read stay out of the cache.
    /// - Throws: ``RocksError`` when a row cannot be read; what `body` throws.
    public func scan(
        _ family: Int, _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let scan = try RocksScan(self, family)
        while let chunk = try scan.next() { try chunk.forEach(body) }
    }
}

/// Rows one behind the other: lengths of key and value, u32 each, key, value.
private struct RowChunk {
    var bytes: [UInt8] = []

    /// What is handed over at once.
    static let size = 1 << 20

    var isFull: Bool { bytes.count >= Self.size }

    mutating func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        for part in [key, value] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: part.count)) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: key)
        bytes.append(contentsOf: value)
    }

    func forEach(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let keyCount = Int(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                let valueCount = Int(bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
                let (key, value) = (place + 8, place + 8 + keyCount)
                place = value + valueCount
                try body(
                    UnsafeRawBufferPointer(rebasing: bytes[key..<value]),
                    UnsafeRawBufferPointer(rebasing: bytes[value..<place]))
            }
        }
    }
}

/// A walk over a family in a thread of its own, a few chunks ahead of the one who takes them.
///
/// `@unchecked Sendable`: the chunks lie behind a lock; the thread's handle is set before anybody else has this, and is used
/// in `deinit` only.
private final class RocksScan: @unchecked Sendable {
    private enum Step {
        case rows(RowChunk)
        case end
        case failure(RocksError)
    }

    /// What the two threads share; the reading one keeps it.
    private final class Shared: Sendable {
        let steps = Mutex<[Step]>([])
        let room = CountingSemaphore(RocksScan.ahead)
        let filled = CountingSemaphore(0)
        let isStopped = Atomic(false)
        let database: RocksDatabase
        let family: Int

        init(_ database: RocksDatabase, _ family: Int) {
            self.database = database
            self.family = family
        }

        func put(_ step: Step) {
            room.wait()
            steps.withLock { $0.append(step) }
            filled.signal()
        }

        func take() -> Step {
            filled.wait()
            defer { room.signal() }
            return steps.withLock { $0.removeFirst() }
        }

        func read() {
            do throws(RocksError) {
                try readRows()
                put(.end)
            } catch {
                put(.failure(error))
            }
        }

        private func readRows() throws(RocksError) {
            var rows = RocksIterator(scanning: database, family)
            var isOnRow = try rows.seekToFirst()
            while isOnRow, !isStopped.load(ordering: .relaxed) {
                var chunk = RowChunk()
                chunk.bytes.reserveCapacity(RowChunk.size + RowChunk.size / 8)
                while isOnRow, !chunk.isFull {
                    chunk.add(rows.key, rows.value)
                    isOnRow = try rows.next()
                }
                put(.rows(chunk))
            }
        }
    }

    /// Chunks that may wait to be taken.
    private static let ahead = 4

    private let shared: Shared
    private let thread: pthread_t

    init(_ database: RocksDatabase, _ family: Int) throws(RocksError) {
        let shared = Shared(database, family)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(shared)
        let code = pthread_create(
            &thread, nil,
            { argument in
                // The argument is what the creator retained for this thread.
                if let argument { Unmanaged<Shared>.fromOpaque(argument).takeRetainedValue().read() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            let reason = String(cString: strerror(code))
            throw RocksError(.other, folder: database.folder, "no thread to read with: \(reason)")
        }
        self.shared = shared
        self.thread = thread
    }

    deinit {
        shared.isStopped.store(true, ordering: .relaxed)
        // What it waits to put, and its end.
        for _ in 0..<2 { shared.room.signal() }
        pthread_join(thread, nil)
    }

    /// - Returns: the next rows; nil at the end, and only once.
    func next() throws(RocksError) -> RowChunk? {
        switch shared.take() {
        case .rows(let chunk): return chunk
        case .end: return nil
        case .failure(let error): throw error
        }
    }
}

/// A counter that a thread can wait for (`sem_overview(7)`).
///
/// `@unchecked Sendable`: the system's functions may be called from any thread.
private final class CountingSemaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(_ count: Int) {
        // Fails only for a count beyond `SEM_VALUE_MAX`.
        precondition(sem_init(semaphore, 0, UInt32(count)) == 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func wait() {
        // A signal ends the waiting early.
        while sem_wait(semaphore) != 0 {}
    }

    func signal() { sem_post(semaphore) }
}
