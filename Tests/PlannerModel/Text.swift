import Glibc

/// Text that is compared by its UTF-8 bytes, as the contract does; two spellings of `é` are two texts.
struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = text
    }

    init(stringLiteral text: String) {
        description = text
    }

    var bytes: [UInt8] { Array(description.utf8) }

    var byteCount: Int { description.utf8.count }

    /// What Unicode does not even call equivalent differs in its bytes, and `String` finds that quickly.
    static func == (left: Text, right: Text) -> Bool {
        left.description == right.description && left.byteCount == right.byteCount && left.compare(right) == 0
    }

    static func < (left: Text, right: Text) -> Bool {
        let order = left.compare(right)
        return order == 0 ? left.byteCount < right.byteCount : order < 0
    }

    /// Compares as many bytes as both have.
    private func compare(_ other: Text) -> Int32 {
        var (left, right) = (description, other.description)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return 0 }
                return memcmp(first, second, min(left.count, right.count))
            }
        }
    }

    func hasPrefix(_ prefix: Text) -> Bool {
        bytes.starts(with: prefix.bytes)
    }
}
