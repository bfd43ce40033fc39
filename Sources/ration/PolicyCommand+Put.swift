import RationBus
import RationCommandLine
import RationConfiguration
import RationJSON
import RationPluginKit
import RationWire

extension PolicyCommand {
    /// Replaces the policy, after it was validated here.
    /// - Parameter waitMilliseconds: how long to wait until what is pending is replanned; nil: not at all.
    func put(
        _ document: PolicyDocument, _ client: QueryClient, _ waitMilliseconds: Int64?, _ console: Console
    ) throws -> ExitStatus {
        let zones = try InstalledZones.read()
        do throws(ConfigurationFaults) {
            _ = try PolicyReader.read(
                text: document.text, file: document.file ?? "-", orders: plugins.orderNames, zones: zones)
        } catch {
            throw CommandFailure(error)
        }
        // A policy may take long; that a broker is there is known soon.
        _ = try client.status(timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        let body: [UInt8]
        do {
            body = try client.policy(.replace(document), timeoutMilliseconds: PolicyProgress.patienceMilliseconds)
        } catch let error as QueryError {
            guard case .refused(let fault) = error.code, !fault.faults.isEmpty else { throw error }
            throw CommandFailure(ConfigurationFaults(fault.faults.map { ConfigurationFault($0, of: document) }))
        }
        var parser = JSONParser(maximumValues: 1_000_000)
        let answer = try parser.parse(body)
        for warning in DocumentProblem.read(answer["warnings"]) {
            console.complain(ConfigurationFault(warning, of: document).warning)
        }
        if printsJSON { _ = try printAnswer(body, console) } else { try tell(answer, console) }
        try console.output.flush()
        guard let waitMilliseconds else { return .success }
        return try PolicyProgress(client: client).wait(milliseconds: waitMilliseconds, console)
    }

    private func tell(_ answer: JSONValue, _ console: Console) throws {
        let number = answer["revision"]?.integer ?? 0
        guard answer["changed"]?.bool == true else {
            return try console.output.line("revision \(number) is in force already: unchanged")
        }
        let backlog = answer["backlog"]?.integer ?? 0
        let sequence = answer["sequence"]?.integer ?? 0
        let recipients = PolicyProgress.text(backlog)
        try console.output.line("revision \(number) is in force after event \(sequence); \(recipients)")
    }
}

/// A policy's file as it goes to the broker.
enum PolicyFile {
    /// Bytes that are read of it: more than a policy may have, so that validation tells the limit.
    private static let limit = 5 << 20

    /// - Parameter file: a path; `-` for standard input.
    /// - Throws: `InputError`.
    static func read(_ file: String) throws -> PolicyDocument {
        let input = try LineInput(file: file, limit: limit)
        var text: [UInt8] = []
        while text.count <= limit, try input.next({ text += Array($0) + [0x0A] }) != nil {}
        return PolicyDocument(text: text, file: file)
    }
}

/// Waits while a broker replans.
struct PolicyProgress {
    let client: QueryClient

    /// How long an answer about a policy may take.
    static let patienceMilliseconds = 60_000
    private static let lookMilliseconds = 200

    /// Tells how many recipients are left whenever that is looked at, on a terminal.
    func wait(milliseconds: Int64, _ console: Console) throws -> ExitStatus {
        let end = SystemMonotonicClock().milliseconds + milliseconds
        var parser = JSONParser(maximumValues: 1_000_000)
        while true {
            let status = try client.status(timeoutMilliseconds: StatusCommand.patienceMilliseconds)
            let backlog = try parser.parse(status)["replanBacklogRecipients"]?.integer ?? 0
            guard backlog > 0 else {
                try console.output.line("all recipients are replanned")
                return .success
            }
            let left = end - SystemMonotonicClock().milliseconds
            guard left > 0 else {
                throw CommandFailure("\(Self.text(backlog)) after \(milliseconds) ms; the policy is in force")
            }
            if console.terminal.isInteractive { console.complain(Self.text(backlog)) }
            var poller = Poller()
            try poller.wait(milliseconds: Int(min(left, Int64(Self.lookMilliseconds))))
        }
    }

    static func text(_ backlog: Int64) -> String {
        backlog == 1 ? "1 recipient to replan" : "\(backlog) recipients to replan"
    }
}

extension ConfigurationFault {
    /// What the broker found in a file.
    init(_ problem: DocumentProblem, of document: PolicyDocument) {
        self.init(
            file: document.file ?? "-", line: problem.line, column: problem.column, path: problem.path,
            message: problem.message)
    }
}

extension JSONValue {
    /// The value for people: a line for each member of an object and its objects; what is flat stays on one line.
    var indented: String {
        var text = ""
        write(indentation: "", to: &text)
        return text
    }

    private func write(indentation: String, to text: inout String) {
        let isFlat = children.allSatisfy { $0.count == 0 }
        guard count > 0, !isFlat || indentation.isEmpty else {
            var writer = JSONWriter()
            canonical(into: &writer)
            text += String(decoding: writer.bytes, as: UTF8.self)
            return
        }
        let inner = indentation + "  "
        text += kind == .object ? "{" : "["
        for (index, child) in children.enumerated() {
            text += index > 0 ? ",\n\(inner)" : "\n\(inner)"
            if kind == .object {
                var writer = JSONWriter()
                writer.string(child.key)
                text += String(decoding: writer.bytes, as: UTF8.self) + ": "
            }
            child.write(indentation: inner, to: &text)
        }
        text += "\n\(indentation)" + (kind == .object ? "}" : "]")
    }
}
