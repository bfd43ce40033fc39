internal import RationModel

/// A name that is compared by its bytes: two names that Unicode calls equivalent are different recipients.
struct ByteName: Hashable {
    let text: String
    let hash: UInt64

    init(_ text: String, seed: UInt64 = 0) {
        self.text = text
        hash = text.byteHash(seed: seed)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    static func == (left: ByteName, right: ByteName) -> Bool {
        left.hash == right.hash && left.text.isSame(as: right.text)
    }
}

/// The pair that names a recipient, compared by its bytes.
struct RecipientName: Hashable {
    let app: String
    let device: String
    let hash: UInt64

    init(app: String, device: String) {
        (self.app, self.device) = (app, device)
        hash = device.byteHash(seed: app.byteHash(seed: 0))
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    static func == (left: RecipientName, right: RecipientName) -> Bool {
        left.hash == right.hash && left.app.isSame(as: right.app) && left.device.isSame(as: right.device)
    }
}

extension String {
    /// Whether the UTF-8 of both is the same.
    func isSame(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        if let isSame = isSame ?? nil { return isSame }
        return utf8.elementsEqual(other.utf8)
    }

    func byteHash(seed: UInt64) -> UInt64 {
        let hash = utf8.withContiguousStorageIfAvailable { ByteHash.hash(UnsafeRawBufferPointer($0), seed: seed) }
        if let hash { return hash }
        var copy = self
        return copy.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0), seed: seed) }
    }
}
