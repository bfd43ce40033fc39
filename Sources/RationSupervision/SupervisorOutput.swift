/// The lines of all processes in one output, each behind the name of its process.
final class SupervisorOutput {
    /// How long processes that write wait for an output that takes nothing, before their lines are left out.
    static let patienceMilliseconds: Int64 = 1_000

    private let queue: OutputQueue
    private let prefixes: [[UInt8]]
    private var fullSince: Int64?
    private var leftOut = 0
    private var bytes: [UInt8] = []

    /// - Parameter prefixes: what stands before the lines of each source.
    init(descriptor: Int32, prefixes: [String]) throws(SystemError) {
        queue = try OutputQueue(descriptor: descriptor)
        self.prefixes = prefixes.map { Array($0.utf8) }
    }

    /// Readable when the output may have taken something.
    var roomDescriptor: Int32 { queue.room }

    func takeRoom() {
        OutputQueue.wait(queue.room, milliseconds: 0)
    }

    /// Whether processes are to wait: there is no room, and not for long.
    func isHeldUp(at now: Int64) -> Bool {
        guard queue.isFull else {
            fullSince = nil
            return false
        }
        let since = fullSince ?? now
        fullSince = since
        return now - since < Self.patienceMilliseconds
    }

    /// Gathers a line.
    func line(_ source: Int, _ line: UnsafeRawBufferPointer) {
        if bytes.isEmpty, queue.isFull {
            leftOut += 1
            return
        }
        append(source, line)
    }

    /// Gathers a line that is never left out.
    func tell(_ source: Int, _ text: String) {
        var text = text
        text.withUTF8 { append(source, UnsafeRawBufferPointer($0)) }
    }

    /// Hands over what has gathered.
    func flush(from source: Int) {
        if leftOut > 0, !queue.isFull {
            let count = leftOut
            leftOut = 0
            tell(source, "\(count) lines are left out: the output took none for too long")
        }
        guard !bytes.isEmpty else { return }
        queue.append(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    func finish() {
        queue.finish(withinMilliseconds: 2_000)
    }

    private func append(_ source: Int, _ line: UnsafeRawBufferPointer) {
        bytes += prefixes[source]
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }
}
