import RationJSON

/// A JSON value, copied out of the parser.
indirect enum JSON: Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(_ bytes: [UInt8]) throws {
        var parser = JSONParser(maximumValues: 1 << 20)
        self.init(try parser.parse(bytes))
    }

    init(_ text: String) throws {
        try self.init(Array(text.utf8))
    }

    /// The objects of NDJSON.
    static func lines(_ bytes: some Sequence<UInt8>) throws -> [JSON] {
        var parser = JSONParser(maximumValues: 1 << 20)
        return try Array(bytes).split(separator: 0x0A).map { JSON(try parser.parse(Array($0))) }
    }

    private init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool == true)
        case .integer: self = .integer(Int(value.integer ?? 0))
        case .double: self = .number(value.number ?? 0)
        case .string: self = .text(value.text ?? "")
        case .array: self = .list(value.children.map { JSON($0) })
        case .object:
            let members = value.children.map { (String(decoding: $0.key, as: UTF8.self), JSON($0)) }
            self = .object(Dictionary(members) { $1 })
        }
    }

    /// A member of an object; nil where there is none.
    subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var integer: Int? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    var list: [JSON]? {
        guard case .list(let list) = self else { return nil }
        return list
    }

    var names: Set<String> {
        guard case .object(let members) = self else { return [] }
        return Set(members.keys)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral integer: Int) { self = .integer(integer) }
    init(booleanLiteral bool: Bool) { self = .bool(bool) }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }
}
