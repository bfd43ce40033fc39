import RationES256
import Testing

@Suite("Signing")
struct SigningKeyTests {
    @Test("Base64 of URLs, as RFC 4648 writes it")
    func base64() {
        for (text, expected) in [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] { #expect(Base64URL.text(Array(text.utf8)) == expected) }
        #expect(Base64URL.text([0xFB, 0xFF, 0xFE]) == "-__-")
    }

    @Test("What is no key is refused, and no part of it is shown")
    func noKey() {
        for text in ["", "secret", "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"] {
            do {
                _ = try SigningKey(pem: Array(text.utf8))
                Issue.record("taken: \(text)")
            } catch {
                #expect(error.message == "expected a private key in PEM (PKCS #8), found something else")
            }
        }
    }
}
