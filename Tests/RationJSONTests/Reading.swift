import RationJSON

/// Parses a text twice, with bytes of a next line after its end and without, and gives what was thrown.
///
/// `read` runs on both values, which are gone afterwards.
func refusal(
    of text: some Collection<UInt8>, depth: Int = 32, values: Int = 10_000, read: (JSONValue) -> Void = { _ in }
) -> [JSONError?] {
    var parser = JSONParser(maximumDepth: depth, maximumValues: values)
    let followed = Array(text) + Array(repeatElement(Array(#"]}"1,"#.utf8), count: 16).joined())
    return followed.withUnsafeBytes { bytes in
        [true, false].map { isPadded in
            do throws(JSONError) {
                read(try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[..<text.count]), isPadded: isPadded))
                return nil
            } catch {
                return error
            }
        }
    }
}

func refusal(of text: String, depth: Int = 32, values: Int = 10_000) -> [JSONError?] {
    refusal(of: Array(text.utf8), depth: depth, values: values)
}

/// Parses a text that must be accepted, and gives what `read` says of it.
func reading<Result>(_ text: String, _ read: (JSONValue) -> Result) -> Result? {
    var result: Result?
    let errors = refusal(of: Array(text.utf8)) { result = read($0) }
    return errors == [nil, nil] ? result : nil
}

/// The canonical form of a text, or nil if it is refused.
func canonical(_ text: String) -> String? {
    reading(text) { value in
        var writer = JSONWriter()
        value.canonical(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
