public import Glibc

/// The lines of NDJSON, on bytes.
public enum Lines {
    /// The number of bytes before the first `\n`, or of all where there is none.
    @inlinable
    public static func length(of bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress, let end = memchr(start, 0x0A, bytes.count) else { return bytes.count }
        // memchr returns an address inside the buffer.
        return UnsafeRawPointer(end) - start
    }

    /// Calls `body` with each line, without its `\n`; a last line may do without one.
    @inlinable
    public static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void)
        rethrows
    {
        var start = 0
        while start < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            let count = length(of: rest)
            try body(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            start += count + 1
        }
    }
}
