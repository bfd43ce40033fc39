import RationJSON

extension Value {
    /// Reads a JSON text, such as a file of cases or a line of the simulator's output.
    init(json bytes: [UInt8]) throws {
        var parser = JSONParser(maximumValues: 1 << 24)
        self.init(try parser.parse(bytes))
    }

    private init(_ json: JSONValue) {
        switch json.kind {
        case .null: self = .null
        case .bool: self = .bool(json.bool == true)
        case .integer: self = .integer(json.integer ?? 0)
        case .double: self = .number(json.number ?? 0)
        case .string: self = .string(Text(json.text ?? ""))
        case .array: self = .array(json.children.map { Value($0) })
        case .object:
            self = .object(
                json.children.map { Member(key: Text(String(decoding: $0.key, as: UTF8.self)), value: Value($0)) })
        }
    }

    /// One line of JSON.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        case .outOfRange: "1e999"
        }
    }

    static func quoted(_ text: Text) -> String {
        let needsEscape = text.description.utf8.contains {
            $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }
        if !needsEscape { return "\"\(text)\"" }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: quoted += Array("\\u00".utf8) + Self.hexadecimal(byte)
            default: quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
