import Foundation
import Testing

/// A folder with what TLS and provider tokens need, made by openssl.
package final class Credentials: Sendable {
    package static let identifier = "ABC123DEFG"
    package static let team = "TEAM123456"

    package let folder: String

    package var keyFile: String { path("key.p8") }
    package var publicKey: String { path("key.pub") }
    package var certificate: String { path("tls.pem") }
    package var certificateKey: String { path("tls.key") }

    /// - Parameter names: what the certificate is for.
    package init(names: String = "DNS:localhost,IP:127.0.0.1") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-credentials-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let curve = "ec_paramgen_curve:prime256v1"
        try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", curve, "-out", keyFile)
        try openssl("pkey", "-in", keyFile, "-pubout", "-out", publicKey)
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", curve, "-nodes", "-keyout", certificateKey, "-out",
            certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=\(names)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    package func path(_ file: String) -> String { "\(folder)/\(file)" }

    package func openssl(_ arguments: String...) throws {
        try ChildProcess("/usr/bin/openssl", arguments).waitForSuccess()
    }
}
