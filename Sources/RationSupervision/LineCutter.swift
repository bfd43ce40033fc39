/// Cuts the bytes of an output into lines. A line that is longer than a limit is handed over in pieces, so that no process can
/// fill the memory with one.
struct LineCutter {
    /// Bytes of a line.
    static let limitBytes = 16 * 1024

    private var rest: [UInt8] = []

    /// Takes bytes, and hands over each line that they end, without its `\n`.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ line: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start < bytes.count {
            let room = Self.limitBytes - rest.count
            let window = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + room)])
            if let end = window.firstIndex(of: UInt8(ascii: "\n")) {
                handOver(UnsafeRawBufferPointer(rebasing: window[..<end]), line)
                start += end + 1
            } else if window.count == room {
                handOver(window, line)
                start += room
            } else {
                rest += window
                start += window.count
            }
        }
    }

    /// Hands over what was written last without an end.
    mutating func finish(_ line: (UnsafeRawBufferPointer) -> Void) {
        guard !rest.isEmpty else { return }
        handOver(UnsafeRawBufferPointer(start: nil, count: 0), line)
    }

    private mutating func handOver(_ bytes: UnsafeRawBufferPointer, _ line: (UnsafeRawBufferPointer) -> Void) {
        guard !rest.isEmpty else { return line(bytes) }
        rest += bytes
        rest.withUnsafeBytes(line)
        rest.removeAll(keepingCapacity: true)
    }
}
