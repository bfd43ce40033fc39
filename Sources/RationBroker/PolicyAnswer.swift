import RationJSON
import RationModel
import RationStore
import RationWire

/// The bodies of answers to `policy` (wire.md, "Other queries").
enum PolicyAnswer {
    /// The answer to `validate`.
    static func validated(faults: [DocumentProblem], warnings: [DocumentProblem]) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.raw(#"{"valid":"#)
        writer.bool(faults.isEmpty)
        for (name, problems) in [("faults", faults), ("warnings", warnings)] as [(StaticString, [DocumentProblem])] {
            writer.raw(",")
            writer.key(name)
            DocumentProblem.write(problems, to: &writer)
        }
        writer.raw("}")
        return writer.bytes
    }
}

extension StoredRevision {
    /// The answer to `replace`.
    /// - Parameters:
    ///   - changed: false when the policy was in force already.
    ///   - backlog: recipients that are still to be replanned.
    func takenBody(changed: Bool, backlog: Int, warnings: [DocumentProblem]) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writeHead(to: &writer)
        writer.raw(#","changed":"#)
        writer.bool(changed)
        writer.raw(#","backlog":"#)
        writer.integer(Int64(backlog))
        writer.raw(#","warnings":"#)
        DocumentProblem.write(warnings, to: &writer)
        writer.raw("}")
        return writer.bytes
    }

    /// The answer to `read`, of a policy's revision.
    /// - Parameters:
    ///   - zones: the tz database in force.
    ///   - backlog: recipients that are still planned under an earlier revision than the last.
    func shownBody(zones: StoredRevision?, backlog: Int) -> [UInt8] {
        var writer = JSONWriter(capacity: 256 + document.count)
        writeHead(to: &writer)
        writer.raw(#","tzRelease":"#)
        writer.string(zones?.source ?? "")
        writer.raw(#","backlog":"#)
        writer.integer(Int64(backlog))
        writer.raw(#","policy":"#)
        document.withUnsafeBytes { writer.raw($0) }
        writer.raw("}")
        return writer.bytes
    }

    private func writeHead(to writer: inout JSONWriter) {
        writer.raw(#"{"revision":"#)
        writer.integer(Int64(truncatingIfNeeded: number))
        writer.raw(#","at":"#)
        writer.string(at.rfc3339)
        writer.raw(#","sequence":"#)
        writer.integer(Int64(truncatingIfNeeded: sequence))
        writer.raw(#","batch":"#)
        writer.integer(Int64(truncatingIfNeeded: batch))
        writer.raw(#","source":"#)
        writer.string(source)
    }
}
