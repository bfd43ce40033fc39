internal import CSimdJSON

/// Parses JSON texts, one after another, in memory that it keeps.
///
/// In the steady state a parse allocates nothing. Refused are the texts of the rule `json` of the planning contract,
/// section 6: see `JSONError.Code`.
public struct JSONParser: ~Copyable {
    /// How deeply arrays and objects may be nested: an object inside an object has depth 2.
    public let maximumDepth: Int

    /// How many values a text may have, arrays and objects included, keys not.
    public let maximumValues: Int

    private let parser: OpaquePointer

    /// - Parameters:
    ///   - maximumDepth: 1 to 1,024.
    ///   - maximumValues: 1 to 2^31.
    public init(maximumDepth: Int = 32, maximumValues: Int = 10_000) {
        precondition((1...1_024).contains(maximumDepth), "maximumDepth \(maximumDepth) is outside 1...1024")
        precondition((1...1 << 31).contains(maximumValues), "maximumValues \(maximumValues) is outside 1...2^31")
        guard let parser = ration_json_parser_create(UInt32(maximumDepth), UInt32(maximumValues)) else {
            preconditionFailure("no memory for a JSON parser")
        }
        self.parser = parser
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    deinit {
        ration_json_parser_destroy(parser)
    }

    /// Parses one text.
    ///
    /// The value, and every string and key that it reaches, is valid until the next parse or the end of the parser;
    /// `bytes` may go at once.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 JSON: one value of any kind, white space around it.
    ///   - isPadded: whether 64 bytes after the end of `bytes` may be read, whatever they hold. If not, the text is copied.
    /// - Throws: `JSONError` with the place of the fault.
    /// - Complexity: linear in the number of bytes, and n log n in the members of one object.
    public mutating func parse(_ bytes: UnsafeRawBufferPointer, isPadded: Bool) throws(JSONError) -> JSONValue {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = ration_json_parse(parser, start, bytes.count, isPadded)
        guard let root = result.root else {
            throw JSONError(result, in: bytes, depth: maximumDepth, values: maximumValues)
        }
        return JSONValue(root)
    }

    /// Parses a text in an array, which is copied.
    public mutating func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            try parse(UnsafeRawBufferPointer(buffer), isPadded: false)
        }
    }
}
