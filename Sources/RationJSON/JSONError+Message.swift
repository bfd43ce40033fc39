import CSimdJSON

extension JSONError {
    /// The error for what the parser found in `bytes`.
    init(_ result: ration_json_result, in bytes: UnsafeRawBufferPointer, depth: Int, values: Int) {
        let code = Code(result.code)
        let offset = result.offset == Int.max.magnitude || result.offset > bytes.count ? nil : Int(result.offset)
        let message = Self.message(for: code, token: Self.token(in: bytes, at: offset), depth: depth, values: values)
        self.init(code: code, offset: offset, message: message)
    }

    private static func message(for code: Code, token: String, depth: Int, values: Int) -> String {
        switch code {
        case .empty: "the text holds no value"
        case .malformed: token.isEmpty ? "the text ends too early" : "no valid JSON at \(token)"
        case .trailingContent: "the value is followed by \(token)"
        case .invalidUTF8: "no valid UTF-8"
        case .loneSurrogate: "\(token) is half of a surrogate pair"
        case .duplicateKey: "the key \(token) stands twice in one object"
        case .tooDeep: "nested deeper than \(depth)"
        case .tooManyValues: "more than \(values) values"
        case .numberRange: "the number \(token) is neither a signed 64-bit integer nor a finite double"
        case .tooLarge: "the text is 2 GiB or longer"
        case .outOfMemory: "no memory to parse the text"
        }
    }

    /// What stands at the fault, for the message: a string, a number, a word or a sign, at most 64 bytes of it.
    private static func token(in bytes: UnsafeRawBufferPointer, at offset: Int?) -> String {
        guard let offset, offset < bytes.count else { return "" }
        let rest = bytes[offset...].prefix(64)
        let length: Int
        switch rest.first {
        case UInt8(ascii: "\""):
            length = (rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex - 1) + 1 - offset
        case UInt8(ascii: "\\"):
            length = 6
        default:
            length = max(1, rest.prefix(while: isWordByte).count)
        }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }
}

extension JSONError.Code {
    fileprivate init(_ code: ration_json_code) {
        self =
            switch code {
            case RATION_JSON_EMPTY: .empty
            case RATION_JSON_TRAILING_CONTENT: .trailingContent
            case RATION_JSON_INVALID_UTF8: .invalidUTF8
            case RATION_JSON_LONE_SURROGATE: .loneSurrogate
            case RATION_JSON_DUPLICATE_KEY: .duplicateKey
            case RATION_JSON_TOO_DEEP: .tooDeep
            case RATION_JSON_TOO_MANY_VALUES: .tooManyValues
            case RATION_JSON_NUMBER_RANGE: .numberRange
            case RATION_JSON_TOO_LARGE: .tooLarge
            case RATION_JSON_OUT_OF_MEMORY: .outOfMemory
            default: .malformed
            }
    }
}
