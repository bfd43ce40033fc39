import RationBus
import RationCommandLine
import RationModel
import RationWire

/// Tells what became of published intents.
final class PublishReport {
    enum Style {
        case counts, json, quiet
    }

    private let console: Console
    private let style: Style
    private var requests = 0
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count)
    /// Whether everything was taken so far.
    private(set) var isClean = true
    private var isReaderGone = false

    init(_ console: Console, _ style: Style) {
        self.console = console
        self.style = style
    }

    func flush() throws {
        try print { try $0.flush() }
    }

    /// Whoever reads the report may go; what is published does not depend on it.
    private func print(_ body: (LineOutput) throws -> Void) throws {
        guard !isReaderGone else { return }
        do {
            try body(console.output)
        } catch is OutputClosed {
            isReaderGone = true
        }
    }

    func tell(_ answer: PublishingAnswer, from origin: RequestOrigin) throws {
        requests += 1
        switch answer {
        case .acknowledgement(let request): try tell(request, from: origin)
        case .alreadyCommitted(let number):
            try print { try $0.line("\(number)  committed before; its outcomes are no longer kept") }
        case .refusal(_, let fault):
            complain("\(origin.place(of: 0)): the request is refused: \(fault.code.rawValue): \(fault.message)")
        case .unknown:
            complain("\(origin.place(of: 0)): no answer; this request may have been decided or not")
        }
    }

    private func tell(_ request: CommittedRequest, from origin: RequestOrigin) throws {
        let acknowledgement = try request.acknowledgement()
        let outcomes = Outcome.allCases.map { acknowledgement.count($0) }
        for (index, count) in outcomes.enumerated() { counts[index] += count }
        switch style {
        case .json: try print { output in try request.body.withUnsafeBytes { try output.line(bytes: $0) } }
        case .counts:
            try print { try $0.line("\(request.number)  batch \(acknowledgement.batch): \(Self.words(outcomes))") }
        case .quiet: break
        }
        if acknowledgement.count(.rejected) > 0 { isClean = false }
        for problem in acknowledgement.problems { try tell(problem, from: origin) }
        if acknowledgement.more > 0 {
            try console.errors.line(
                "\(origin.file): \(acknowledgement.more) more problems in request \(request.number)")
        }
        try console.errors.flush()
    }

    private func tell(_ problem: Acknowledgement.Problem, from origin: RequestOrigin) throws {
        let level = problem.level == "error" ? "" : "\(problem.level): "
        let id = problem.id.map { "\($0.printable): " } ?? ""
        let field = problem.field.isEmpty ? "" : " at \(problem.field.printable)"
        try console.errors.line(
            "\(origin.place(of: problem.index)): \(level)\(id)\(problem.code)\(field): \(problem.message.printable)")
    }

    /// Tells that a line is too long for any request.
    func refuse(line: Int, of file: String, bytes: Int) throws {
        complain(
            "\(file):\(line): tooLarge: a line has at most \(Limits.requestBytes - 1) bytes, this one has \(bytes)")
    }

    func giveUp(_ message: String) throws {
        try flush()
        complain(message)
    }

    /// What is no fault of the requests.
    func warn(_ message: String) { console.complain("warning: " + message) }

    private func complain(_ message: String) {
        isClean = false
        console.complain(message)
    }

    /// The counts of all requests, when there was more than one.
    func total() throws {
        guard style == .counts, requests > 1 else { return }
        try print { try $0.line("\(requests) requests: \(Self.words(counts))") }
    }

    private static func words(_ counts: [Int]) -> String {
        let words = zip(Outcome.allCases, counts).filter { $1 > 0 }.map { "\($1) \($0.words)" }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}

extension Outcome {
    /// For people.
    fileprivate var words: String {
        self == .notFound ? "not found" : "\(name)"
    }
}
