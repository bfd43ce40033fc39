internal import RationJSON
internal import RationModel

/// Reads the JSON bodies of requests; a body that is not what wire.md says is `malformed`, with the field.
public struct QueryReader: ~Copyable {
    private var parser: JSONParser

    /// - Parameter maximumValues: values that a body may have.
    public init(maximumValues: Int = 10_000) {
        parser = JSONParser(maximumValues: maximumValues)
    }

    mutating func object(
        _ body: UnsafeRawBufferPointer, fields: [StaticString]
    ) throws(RequestFault) -> JSONValue {
        let value: JSONValue
        do throws(JSONError) {
            value = try parser.parse(body, isPadded: false)
        } catch {
            throw RequestFault(.malformed, "the body is not JSON: \(error.message)")
        }
        guard value.kind == .object else {
            throw RequestFault(.malformed, "the body is \(value.kindName), expected an object")
        }
        for member in value.children where !fields.contains(where: { equals(member.key, $0) }) {
            let name = String(decoding: member.key.prefix(64), as: UTF8.self)
            let known = fields.map { "\($0)" }.joined(separator: ", ")
            throw RequestFault(.malformed, "the field '\(name)' is unknown; there are \(known)")
        }
        return value
    }

    func member(_ object: JSONValue, _ name: StaticString) -> JSONValue? {
        object[name].flatMap { $0.isNull ? nil : $0 }
    }

    func text(_ object: JSONValue, _ name: StaticString) throws(RequestFault) -> String? {
        guard let value = member(object, name) else { return nil }
        guard let text = value.text else {
            throw RequestFault(.malformed, "'\(name)' is \(value.kindName), expected a string")
        }
        return text
    }

    func required(_ object: JSONValue, _ name: StaticString) throws(RequestFault) -> String {
        guard let text = try text(object, name) else {
            throw RequestFault(.malformed, "the field '\(name)' is missing")
        }
        return text
    }

    func number(
        _ object: JSONValue, _ name: StaticString, in range: ClosedRange<Int>, or absent: Int
    ) throws(RequestFault) -> Int {
        guard let value = member(object, name) else { return absent }
        guard let number = value.integer, range.contains(Int(number)) else {
            throw RequestFault(
                .malformed, "'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    private func list(_ object: JSONValue, _ name: StaticString) throws(RequestFault) -> [String] {
        guard let value = member(object, name) else { return [] }
        let texts = value.children.compactMap(\.text)
        guard value.kind == .array, texts.count == value.count, texts.count <= 256 else {
            throw RequestFault(.malformed, "'\(name)' is not a list of at most 256 strings")
        }
        return texts
    }

    /// The body of `hello`: a publisher's name; empty for none.
    public mutating func hello(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> String {
        let object = try object(body, fields: ["publisher"])
        return try text(object, "publisher") ?? ""
    }

    /// The body of `plan`.
    public mutating func plan(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> (app: String, device: String) {
        let object = try object(body, fields: ["app", "device"])
        return (try required(object, "app"), try required(object, "device"))
    }

    /// The body of `explain`.
    public mutating func explain(
        _ body: UnsafeRawBufferPointer
    ) throws(RequestFault) -> (app: String, device: String, id: String) {
        let object = try object(body, fields: ["app", "device", "id"])
        return (try required(object, "app"), try required(object, "device"), try required(object, "id"))
    }

    /// The body of `snapshot`.
    public mutating func snapshot(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> SnapshotRequest {
        var request = SnapshotRequest()
        guard !body.isEmpty else { return request }
        let object = try object(body, fields: ["after", "most", "mostBytes"])
        request.after = try text(object, "after") ?? ""
        request.most = try number(object, "most", in: SnapshotRequest.mostLimit, or: request.most)
        request.mostBytes = try number(object, "mostBytes", in: SnapshotRequest.mostBytesLimit, or: request.mostBytes)
        return request
    }

    /// The body of `log`: an empty object, or none; or a time.
    public mutating func log(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> LogRequest {
        guard !body.isEmpty else { return LogRequest() }
        let object = try object(body, fields: ["at"])
        guard let at = member(object, "at") else { return LogRequest() }
        guard let instant = at.instant else {
            throw RequestFault(.malformed, "'at' is not \(WireDate.expected)")
        }
        return LogRequest(at: instant)
    }

    /// The body of `clock`: whether the wall clock is to be believed from now on.
    public mutating func clock(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> Bool {
        let object = try object(body, fields: ["do"])
        switch try required(object, "do") {
        case "read": return false
        case "accept": return true
        case let word: throw RequestFault(.malformed, "'do' is '\(word.prefix(64))', expected read or accept")
        }
    }

    /// The body of `backup`: the folder to make it in, an absolute path.
    public mutating func backup(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> String {
        let folder = try required(try object(body, fields: ["folder"]), "folder")
        guard folder.utf8.first == UInt8(ascii: "/"), !folder.utf8.contains(0), folder.utf8.count <= Self.pathBytes
        else {
            throw RequestFault(
                .malformed, "'folder' is not an absolute path of at most \(Self.pathBytes) bytes")
        }
        return folder
    }

    /// Bytes of a path.
    public static let pathBytes = 1_024

    /// The body of `stop`: an empty object, or none.
    public mutating func stop(_ body: UnsafeRawBufferPointer) throws(RequestFault) {
        if !body.isEmpty { _ = try object(body, fields: []) }
    }

    /// The body of `status`: an empty object, or none.
    public mutating func status(_ body: UnsafeRawBufferPointer) throws(RequestFault) {
        if !body.isEmpty { _ = try object(body, fields: []) }
    }

    /// The body of `read`.
    public mutating func read(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> ReadRequest {
        let object = try object(
            body, fields: ["log", "after", "kinds", "types", "apps", "devices", "most", "mostBytes", "waitMs"])
        var request = ReadRequest()
        request.log = try text(object, "log")
        request.after = UInt64(try number(object, "after", in: 0...Int.max, or: 0))
        for name in try list(object, "kinds") {
            guard let kind = EventKind.allCases.first(where: { "\($0.name)" == name }) else {
                let known = EventKind.allCases.map { "\($0.name)" }.joined(separator: ", ")
                throw RequestFault(.malformed, "'kinds' has '\(name)', expected one of \(known)")
            }
            request.filter.kinds.append(kind)
        }
        request.filter.types = try list(object, "types")
        request.filter.apps = try list(object, "apps")
        request.filter.devices = try list(object, "devices")
        request.most = try number(object, "most", in: ReadRequest.mostLimit, or: request.most)
        request.mostBytes = try number(object, "mostBytes", in: ReadRequest.mostBytesLimit, or: request.mostBytes)
        request.waitMilliseconds = try number(object, "waitMs", in: ReadRequest.waitLimit, or: 0)
        return request
    }
}
