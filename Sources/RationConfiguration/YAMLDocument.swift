/// One YAML or JSON document, read with limits so that no file costs more than a moment and a few megabytes.
///
/// Taken: YAML 1.2 as far as libyaml reads it, one document, names as keys, no tags but the core schema's. Aliases are
/// resolved and what they repeat counts as often as it stands there.
public struct YAMLDocument: Sendable {
    public static let limitBytes = 4 * 1024 * 1024
    public static let limitNodes = 250_000
    public static let limitDepth = 64

    public var root: YAMLNode
    /// Faults that leave a document to go on with: a key twice in one mapping, of which the first counts.
    public var faults: [ConfigurationFault]

    /// - Parameters:
    ///   - bytes: UTF-8.
    ///   - file: its name, for faults.
    /// - Throws: the fault that leaves nothing to go on with, behind those found before it.
    public init(_ bytes: [UInt8], file: String) throws(ConfigurationFaults) {
        if let fault = Self.fault(ofText: bytes, file: file) { throw ConfigurationFaults([fault]) }
        let result: Result<YAMLDocument, ConfigurationFaults> = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(ConfigurationFaults) in try YAMLTree.document(buffer, file: file) }
        }
        self = try result.get()
    }

    init(root: YAMLNode, faults: [ConfigurationFault]) {
        self.root = root
        self.faults = faults
    }

    private static func fault(ofText bytes: [UInt8], file: String) -> ConfigurationFault? {
        guard bytes.count <= limitBytes else {
            return ConfigurationFault(file: file, message: "expected at most \(limitBytes) bytes, found \(bytes.count)")
        }
        if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
            let offset = validPrefix(bytes)
            let place = place(ofByte: offset, in: bytes)
            let found = offset < bytes.count && bytes[offset] == 0 ? "a NUL" : "bytes that are none"
            return ConfigurationFault(
                file: file, line: place.line, column: place.column, message: "expected text in UTF-8, found \(found)")
        }
        return nil
    }

    /// How many bytes at the beginning are UTF-8 without a NUL.
    private static func validPrefix(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var count = 0
        while case .valid(let scalar) = decoder.parseScalar(from: &iterator), scalar.first != 0 {
            count += scalar.count
        }
        return count
    }

    /// Line and column of a byte; all before it is UTF-8.
    static func place(ofByte offset: Int, in bytes: some Collection<UInt8>) -> YAMLPlace {
        var place = YAMLPlace(line: 1, column: 1)
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                place = YAMLPlace(line: place.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                place.column += 1
            }
        }
        return place
    }
}
