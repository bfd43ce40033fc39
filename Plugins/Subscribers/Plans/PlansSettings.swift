internal import RationHTTP
public import RationModel
internal import RationPluginKit

/// What the settings of the subscriber say.
public struct PlansSettings: Hashable, Sendable {
    /// Where phones are answered.
    public var listen = "127.0.0.1:7468"
    /// The file with the secret that devices' tokens are derived from.
    public var secret = ""
    /// The subscriber of the plugin `apns` whose keys wake phones; empty: none is woken.
    public var wake = ""
    public var connections = 256
    public var timeoutSeconds = 10

    public static let descriptions = [
        SettingDescription(
            "secret", "an absolute path",
            "the file with the secret that devices' tokens are derived from: at least 32 random bytes, readable by its owner only",
            standard: nil),
        SettingDescription(
            "listen", "an ADDRESS:PORT", "where phones are answered, over HTTP: TLS is the work of a proxy before it",
            standard: "127.0.0.1:7468"),
        SettingDescription(
            "wake", "the name of a subscriber",
            "the subscriber of the plugin apns with whose keys phones are told of a new plan, by a push that wakes the app; "
                + "without it they have to ask", standard: ""),
        SettingDescription(
            "connections", "a whole number from 1 to 10000", "connections at a time", standard: "256"),
        SettingDescription(
            "timeout", "a duration from 1s to 300s", "the silence after which a connection is closed", standard: "10s"),
    ]

    public init() {}

    /// - Throws: all faults.
    public init(_ settings: [Setting]) throws(SettingFaults) {
        var reader = SettingReader(settings)
        listen = reader.text("listen", expected: "an address such as 127.0.0.1:7468", standard: listen) {
            HTTPServer.isAddress($0)
        }
        secret = reader.text("secret", expected: "an absolute path", standard: secret) { text in
            text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(0)
        }
        wake = reader.text("wake", expected: "the name of a subscriber", standard: wake) {
            $0.isIdentifier(limit: Limits.publisherBytes)
        }
        connections = reader.wholeNumber("connections", standard: connections, in: 1...10_000)
        let timeout = reader.duration("timeout", standard: Int64(timeoutSeconds) * 1_000, in: 1_000...300_000)
        timeoutSeconds = Int((timeout + 999) / 1_000)
        if secret.isEmpty, reader.faults.isEmpty { reader.fault("secret", "expected an absolute path, found none") }
        try reader.finish()
    }
}

extension SettingReader {
    fileprivate mutating func text(
        _ name: String, expected: String, standard: String, _ isTaken: (String) -> Bool
    ) -> String {
        read(name, expected: expected, standard: standard) { value in
            guard case .text(let text) = value, text.utf8.count <= Self.textBytes, isTaken(text) else { return nil }
            return text
        }
    }
}
