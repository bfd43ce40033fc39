/// Requests under way, each in a slot whose memory the next one uses again.
struct StreamTable {
    enum Phase {
        case free
        /// Not handed to nghttp2 yet.
        case waiting
        case sent
        /// Its result is to be taken.
        case finished
    }

    struct Stream {
        var phase = Phase.free
        var ticket = 0
        /// nghttp2's number; 0: it has none.
        var id: Int32 = 0
        /// While it waits.
        var request: HTTP2Request?
        var body: [UInt8] = []
        /// So much of the body was sent.
        var sentBytes = 0
        /// By the monotonic clock, in milliseconds.
        var deadline: Int64 = 0
        var status = 0
        var headerBytes: [UInt8] = []
        var answerBody: [UInt8] = []
        /// Whether the answer has come to its end.
        var isAnswered = false
        var failure: HTTP2Failure?
    }

    private(set) var streams: [Stream] = []
    private var free: [Int] = []
    private var finished: [Int] = []
    private var taken: [Int] = []
    /// Slots that wait; those before `first` are gone.
    private var waiting: [Int] = []
    private var first = 0

    /// Slots keep no more memory than this for the answers to come.
    private static let keptBytes = 4_096

    subscript(slot: Int) -> Stream {
        _read { yield streams[slot] }
        _modify { yield &streams[slot] }
    }

    /// Requests whose result was not taken.
    var count: Int { streams.count - free.count }
    var hasFinished: Bool { !finished.isEmpty }

    /// - Returns: its slot, in the phase `waiting`, but not in the queue of those.
    mutating func add(ticket: Int, body: [UInt8], deadline: Int64) -> Int {
        let slot = free.popLast() ?? streams.count
        if slot == streams.count { streams.append(Stream()) }
        streams[slot].phase = .waiting
        (streams[slot].ticket, streams[slot].id, streams[slot].deadline) = (ticket, 0, deadline)
        (streams[slot].body, streams[slot].sentBytes) = (body, 0)
        (streams[slot].status, streams[slot].isAnswered, streams[slot].failure) = (0, false, nil)
        Self.empty(&streams[slot].headerBytes)
        Self.empty(&streams[slot].answerBody)
        return slot
    }

    private static func empty(_ bytes: inout [UInt8]) {
        if bytes.capacity > keptBytes { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
    }

    mutating func wait(_ slot: Int, _ request: HTTP2Request) {
        streams[slot].request = request
        waiting.append(slot)
    }

    var isAnyWaiting: Bool { first < waiting.count }

    /// The request that has waited longest.
    mutating func nextWaiting() -> (slot: Int, HTTP2Request)? {
        guard first < waiting.count else {
            waiting.removeAll(keepingCapacity: true)
            first = 0
            return nil
        }
        let slot = waiting[first]
        first += 1
        // Those that have finished meanwhile were taken out of the queue.
        guard let request = streams[slot].request else { preconditionFailure("slot \(slot) waits without a request") }
        streams[slot].request = nil
        return (slot, request)
    }

    /// Takes note of the number that nghttp2 has given.
    mutating func send(_ slot: Int, as id: Int32) {
        (streams[slot].id, streams[slot].phase) = (id, .sent)
    }

    /// - Parameter failure: nil: it was answered.
    mutating func finish(_ slot: Int, _ failure: HTTP2Failure?) {
        streams[slot].phase = .finished
        streams[slot].failure = failure
        streams[slot].body = []
        finished.append(slot)
    }

    /// Finishes all of a kind.
    mutating func finish(where isMeant: (Stream) -> Bool, _ failure: (Stream) -> HTTP2Failure) {
        for slot in streams.indices {
            let phase = streams[slot].phase
            guard phase == .waiting || phase == .sent, isMeant(streams[slot]) else { continue }
            finish(slot, failure(streams[slot]))
        }
        waiting.removeSubrange(..<first)
        first = 0
        waiting.removeAll { streams[$0].phase != .waiting }
        for slot in streams.indices where streams[slot].phase == .finished { streams[slot].request = nil }
    }

    /// The slots whose results are to be taken now.
    mutating func takeFinished() -> [Int] {
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &finished)
        return taken
    }

    /// The result of a finished request, whose slot is free then.
    mutating func take(_ slot: Int) -> (ticket: Int, HTTP2Connection.Result) {
        precondition(streams[slot].phase == .finished, "slot \(slot) is \(streams[slot].phase)")
        streams[slot].phase = .free
        free.append(slot)
        if let failure = streams[slot].failure { return (streams[slot].ticket, .failure(failure)) }
        let stream = streams[slot]
        return (
            stream.ticket,
            .success(HTTP2Answer(status: stream.status, headerBytes: stream.headerBytes, body: stream.answerBody))
        )
    }
}
