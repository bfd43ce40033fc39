internal import RationJSON

/// A policy on its way to the broker, as it was written.
public struct PolicyDocument: Hashable, Sendable {
    /// YAML or JSON, UTF-8.
    public var text: [UInt8]
    /// Its name, for faults and for the log of revisions; nil: it has none.
    public var file: String?
    /// Whether the lines are the author's, so that faults tell them.
    public var hasLines: Bool

    /// Bytes of a file's name.
    public static let fileBytes = 1024

    public init(text: [UInt8], file: String?, hasLines: Bool = true) {
        self.text = text
        self.file = file
        self.hasLines = hasLines
    }
}

/// `policy` on the admin endpoint (wire.md, "Other queries").
public enum PolicyRequest: Hashable, Sendable {
    /// The policy in force, or an earlier revision that is still kept.
    case read(revision: UInt64?)
    case validate(PolicyDocument)
    case replace(PolicyDocument)

    /// The body of a request. A document goes as text.
    public var body: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        var members = MemberWriter()
        switch self {
        case .read(let revision):
            members.text("do", "read", to: &writer)
            if let revision { members.integer("revision", Int64(truncatingIfNeeded: revision), to: &writer) }
        case .validate(let document):
            members.text("do", "validate", to: &writer)
            Self.write(document, &members, to: &writer)
        case .replace(let document):
            members.text("do", "replace", to: &writer)
            Self.write(document, &members, to: &writer)
        }
        members.end(&writer)
        return writer.bytes
    }

    private static func write(_ document: PolicyDocument, _ members: inout MemberWriter, to writer: inout JSONWriter) {
        if let file = document.file { members.text("file", file, to: &writer) }
        document.text.withUnsafeBytes { members.text("text", $0, to: &writer) }
    }
}

extension QueryReader {
    /// Values that the body of a `policy` may have: what a document may have, and room around it.
    public static let policyValues = 200_000

    /// The body of `policy`: what to do, and for `validate` and `replace` the policy, either as JSON (`policy`) or as a
    /// file's text (`text`).
    public mutating func policy(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> PolicyRequest {
        let object = try object(body, fields: ["do", "policy", "text", "file", "revision"])
        switch try required(object, "do") {
        case "read":
            try refuse(["policy", "text", "file"], of: object, whenDoing: "read")
            let revision = try number(object, "revision", in: 0...Int.max, or: 0)
            return .read(revision: revision == 0 ? nil : UInt64(revision))
        case "validate": return .validate(try document(object, whenDoing: "validate"))
        case "replace": return .replace(try document(object, whenDoing: "replace"))
        case let word:
            throw RequestFault(.malformed, "'do' is '\(word.prefix(64))', expected read, validate or replace")
        }
    }

    private func refuse(
        _ names: [StaticString], of object: JSONValue, whenDoing what: String
    ) throws(RequestFault) {
        for name in names where member(object, name) != nil {
            throw RequestFault(.malformed, "'\(name)' does not go with '\(what)'")
        }
    }

    private func document(_ object: JSONValue, whenDoing what: String) throws(RequestFault) -> PolicyDocument {
        try refuse(["revision"], of: object, whenDoing: what)
        let file = try text(object, "file")
        if let file, file.utf8.count > PolicyDocument.fileBytes || file.isEmpty {
            throw RequestFault(
                .malformed, "'file' has \(file.utf8.count) bytes, expected 1 to \(PolicyDocument.fileBytes)")
        }
        switch (member(object, "policy"), member(object, "text")) {
        case (let policy?, nil):
            guard policy.kind == .object else {
                throw RequestFault(.malformed, "'policy' is \(policy.kindName), expected an object")
            }
            var writer = JSONWriter(capacity: 4096)
            policy.canonical(into: &writer)
            return PolicyDocument(text: writer.bytes, file: file, hasLines: false)
        case (nil, let text?):
            guard let bytes = text.string else {
                throw RequestFault(.malformed, "'text' is \(text.kindName), expected a string")
            }
            return PolicyDocument(text: Array(bytes), file: file)
        default:
            throw RequestFault(.malformed, "'\(what)' needs either 'policy', an object, or 'text', a document")
        }
    }
}
