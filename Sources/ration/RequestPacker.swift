import RationModel

/// Where the lines of a request come from.
struct RequestOrigin {
    var file: String
    /// The number of each line in the file.
    var lines: [Int] = []

    /// `file:12` for the line at a place of the request.
    func place(of index: Int) -> String {
        lines.indices.contains(index) ? "\(file):\(lines[index])" : "\(file): line \(index + 1)"
    }
}

/// Gathers lines into the bodies of requests.
struct RequestPacker {
    /// One request that is ready.
    struct Request {
        var body: [UInt8]
        var origin: RequestOrigin
    }

    /// The longest line that is looked at: a longer one ends the input.
    static let longestLineBytes = 64 << 20

    private let limit: Int
    private var request: Request

    /// - Parameter lines: of one request, at most.
    init(file: String, lines: Int) {
        limit = lines
        request = Request(body: [], origin: RequestOrigin(file: file))
    }

    /// What has gathered; nil if nothing has.
    mutating func take() -> Request? {
        guard !request.body.isEmpty else { return nil }
        defer { request = Request(body: [], origin: RequestOrigin(file: request.origin.file)) }
        return request
    }

    /// Adds a line; submits what was there before when it does not fit, and the request when it is full. A blank line is
    /// no intent.
    /// - Returns: false when the broker does not answer any more.
    mutating func add(_ line: UnsafeRawBufferPointer, number: Int, _ session: PublishSession) throws -> Bool {
        guard line.contains(where: { $0 > 0x20 }) else { return true }
        guard line.count < Limits.requestBytes else {
            try session.report.refuse(line: number, of: request.origin.file, bytes: line.count)
            return true
        }
        if request.body.count + line.count + 1 > Limits.requestBytes {
            guard try session.submit(take()) else { return false }
        }
        request.body.append(contentsOf: line)
        request.body.append(UInt8(ascii: "\n"))
        request.origin.lines.append(number)
        guard request.origin.lines.count >= limit else { return true }
        return try session.submit(take())
    }
}
