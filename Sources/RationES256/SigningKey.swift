internal import COpenSSL

/// A private key on the curve P-256 that signs JSON Web Tokens with ES256 (RFC 7518, section 3.4).
public final class SigningKey {
    private let key: OpaquePointer

    /// Bytes of each half of a signature.
    private static let halfBytes = 32

    /// - Parameter pem: PKCS #8 in PEM, as Apple's `.p8` files are.
    /// - Throws: ``SigningError`` for what is no such key. No part of it stands in the message.
    public init(pem: [UInt8]) throws(SigningError) {
        let key = pem.withUnsafeBytes { ration_openssl_read_key($0.baseAddress, Int32(clamping: $0.count)) }
        // What OpenSSL has noted may hold parts of the text.
        ERR_clear_error()
        guard let key else { throw SigningError("expected a private key in PEM (PKCS #8), found something else") }
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, EVP_PKEY_get_bits(key) == 256 else {
            EVP_PKEY_free(key)
            throw SigningError("expected a key on the curve P-256, found another kind of key")
        }
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// Signs bytes.
    /// - Returns: r and s, 32 bytes each.
    /// - Throws: ``SigningError`` if OpenSSL cannot.
    public func signature(of bytes: [UInt8]) throws(SigningError) -> [UInt8] {
        let encoded = try encodedSignature(of: bytes)
        return try encoded.withUnsafeBufferPointer { (buffer) throws(SigningError) in
            var start = buffer.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &start, buffer.count) else {
                throw SigningError("OpenSSL's signature is none")
            }
            defer { ECDSA_SIG_free(signature) }
            var halves = [UInt8](repeating: 0, count: 2 * Self.halfBytes)
            let written = halves.withUnsafeMutableBufferPointer { halves in
                BN_bn2binpad(ECDSA_SIG_get0_r(signature), halves.baseAddress, Int32(Self.halfBytes)) > 0
                    && BN_bn2binpad(
                        ECDSA_SIG_get0_s(signature), halves.baseAddress.map { $0 + Self.halfBytes },
                        Int32(Self.halfBytes)) > 0
            }
            guard written else { throw SigningError("OpenSSL's signature is longer than 64 bytes") }
            return halves
        }
    }

    /// A signature in ASN.1, as OpenSSL makes it.
    private func encodedSignature(of bytes: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw SigningError("OpenSSL has no memory") }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
        else { throw SigningError("OpenSSL does not sign with this key") }
        var encoded = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &encoded, &count, bytes, bytes.count) == 1 else {
            throw SigningError("OpenSSL does not sign with this key")
        }
        return Array(encoded.prefix(count))
    }
}

/// A key that cannot be used.
public struct SigningError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}
