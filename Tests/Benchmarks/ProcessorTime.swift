import Foundation

/// The processor time that a process has used, by thread (proc(5)).
struct ProcessorTime {
    struct Share {
        var user = 0.0
        var system = 0.0

        static func + (left: Share, right: Share) -> Share {
            Share(user: left.user + right.user, system: left.system + right.system)
        }

        static func - (left: Share, right: Share) -> Share {
            Share(user: left.user - right.user, system: left.system - right.system)
        }
    }

    /// Seconds by the threads' names; threads of one name together.
    private(set) var threads: [String: Share] = [:]

    init() {}

    init(of process: Int32) throws {
        let tasks = "/proc/\(process)/task"
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            let text = try String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
            // The name stands in brackets and may hold some itself.
            guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { continue }
            let fields = text[close...].split(separator: " ")
            guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { continue }
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            let name = String(text[text.index(after: open)..<close])
            threads[name, default: Share()] =
                threads[name, default: Share()]
                + Share(user: user / ticks, system: system / ticks)
        }
    }

    var total: Share { threads.values.reduce(Share(), +) }

    mutating func add(from earlier: ProcessorTime, to later: ProcessorTime) {
        for (name, share) in later.threads {
            let used = share - earlier.threads[name, default: Share()]
            threads[name, default: Share()] = threads[name, default: Share()] + used
        }
    }
}
