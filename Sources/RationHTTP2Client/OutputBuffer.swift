internal import Glibc

/// Frames that are to be written: many of them make one record of TLS.
struct OutputBuffer: ~Copyable {
    /// The most that a record of TLS holds (RFC 8446, section 5.1).
    static let recordBytes = 16_384
    /// The most that nghttp2 hands over at once: a frame of the smallest limit that there may be, with its head.
    private static let frameBytes = 16_384 + 9

    private let memory = UnsafeMutableRawPointer.allocate(byteCount: recordBytes + frameBytes, alignment: 16)
    private(set) var count = 0

    deinit {
        memory.deallocate()
    }

    var isFull: Bool { count >= Self.recordBytes }

    /// The next record.
    var record: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: min(count, Self.recordBytes)) }

    /// To be called while it is not full.
    mutating func append(_ frame: UnsafeRawBufferPointer) {
        precondition(!isFull && frame.count <= Self.frameBytes, "a frame of \(frame.count) bytes behind \(count)")
        guard let start = frame.baseAddress else { return }
        memcpy(memory + count, start, frame.count)
        count += frame.count
    }

    /// What was written goes.
    mutating func removeFirst(_ written: Int) {
        count -= written
        if count > 0 { memmove(memory, memory + written, count) }
    }
}
