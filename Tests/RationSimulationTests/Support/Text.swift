/// Text that is compared by its UTF-8 bytes, as the contract does; two spellings of `é` are two texts.
struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    init(stringLiteral text: String) {
        self.init(text)
    }

    static func < (left: Text, right: Text) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    func hasPrefix(_ prefix: Text) -> Bool {
        bytes.starts(with: prefix.bytes)
    }

    var description: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
