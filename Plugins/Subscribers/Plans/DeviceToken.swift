internal import COpenSSL
public import RationSubscribing

/// The secret that devices' tokens are derived from: whoever has a device's token may read that device's plan, and no other.
public struct TokenSecret: Sendable {
    private let bytes: [UInt8]

    /// Bytes of a secret's file.
    public static let byteRange = 32...4_096

    /// - Parameter path: a file that only its owner can read; all its bytes count.
    /// - Throws: `PrivateFileError`; no part of the secret stands in it.
    public init(file path: String) throws(PrivateFileError) {
        bytes = try PrivateFile.read(path, atMost: Self.byteRange.upperBound)
        guard Self.byteRange.contains(bytes.count) else {
            throw PrivateFileError(
                path, "expected at least \(Self.byteRange.lowerBound) bytes of randomness, found \(bytes.count)")
        }
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The token of a device: HMAC-SHA256 (RFC 2104) in hexadecimal digits.
    public func token(app: String, device: String) -> String {
        // An app has no NUL, so that no two pairs give the same text.
        let text = Array("ration plans 1\0\(app)\0\(device)".utf8)
        var code = [UInt8](repeating: 0, count: 32)
        let made = HMAC(EVP_sha256(), bytes, Int32(bytes.count), text, text.count, &code, nil)
        precondition(made != nil, "OpenSSL has no memory for 32 bytes")
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Whether a request's `Authorization` names a device's token; it takes the same time for every wrong one.
    public func isAuthorized(_ authorization: String?, app: String, device: String) -> Bool {
        guard let authorization else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let (given, right) = (Array(parts[1].utf8), Array(token(app: app, device: device).utf8))
        return given.count == right.count && CRYPTO_memcmp(given, right, right.count) == 0
    }
}
