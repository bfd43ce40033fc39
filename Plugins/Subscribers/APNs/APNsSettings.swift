public import RationModel
internal import RationPluginKit

/// What the settings of the subscriber say.
public struct APNsSettings: Hashable, Sendable {
    /// One of a team's keys, and the apps that it is for.
    public struct Key: Hashable, Sendable {
        public var name: String
        /// The `.p8` file.
        public var file: String
        /// Apple's names of the key and the team: ten characters each.
        public var identifier: String
        public var team: String
        /// Bundle identifiers.
        public var apps: [String]

        public init(name: String, file: String, identifier: String, team: String, apps: [String]) {
            (self.name, self.file, self.identifier, self.team, self.apps) = (name, file, identifier, team, apps)
        }
    }

    public var keys: [Key] = []
    public var production = "https://api.push.apple.com"
    public var sandbox = "https://api.sandbox.push.apple.com"
    public var channels = "https://api-manage-broadcast.push.apple.com:2196"
    public var sandboxChannels = "https://api-manage-broadcast.sandbox.push.apple.com:2195"
    /// A file with the certificates that are trusted; empty: the system's.
    public var authorities = ""
    public var streams = 1_000
    public var answerMilliseconds: Int64 = 10_000

    public static let descriptions = [
        SettingDescription(
            "keys", "a mapping of names to {file, id, team, apps}",
            "the .p8 files (an absolute path each, readable by their owner only), Apple's identifiers of key and team, and "
                + "the apps (bundle identifiers) that a key is for", standard: nil),
        SettingDescription("production", "an address", "where APNs answers", standard: "https://api.push.apple.com"),
        SettingDescription(
            "sandbox", "an address", "the same for devices of the environment sandbox",
            standard: "https://api.sandbox.push.apple.com"),
        SettingDescription(
            "channels", "an address", "where channels of broadcasts are made and deleted",
            standard: "https://api-manage-broadcast.push.apple.com:2196"),
        SettingDescription(
            "sandboxChannels", "an address", "the same for the sandbox",
            standard: "https://api-manage-broadcast.sandbox.push.apple.com:2195"),
        SettingDescription(
            "authorities", "an absolute path", "a file with the certificates that are trusted in place of the system's",
            standard: ""),
        SettingDescription(
            "streams", "a whole number from 1 to 10000",
            "pushes under way on one connection, if the server allows as many",
            standard: "1000"),
        SettingDescription(
            "answer", "a duration from 100ms to 60s", "how long an answer is waited for", standard: "10s"),
    ]

    public init() {}

    /// - Throws: all faults.
    public init(_ settings: [Setting]) throws(SettingFaults) {
        var reader = SettingReader(settings)
        production = reader.origin("production", standard: production)
        sandbox = reader.origin("sandbox", standard: sandbox)
        channels = reader.origin("channels", standard: channels)
        sandboxChannels = reader.origin("sandboxChannels", standard: sandboxChannels)
        authorities = reader.absolutePath("authorities", standard: authorities)
        streams = reader.wholeNumber("streams", standard: streams, in: 1...10_000)
        answerMilliseconds = reader.duration("answer", standard: answerMilliseconds, in: 100...60_000)
        keys =
            reader.mappings("keys") { name, members in
                Key(
                    name: name, file: members.absolutePath("file", standard: ""),
                    identifier: members.appleIdentifier("id"), team: members.appleIdentifier("team"),
                    apps: members.apps("apps"))
            } ?? []
        checkKeys(&reader)
        try reader.finish()
    }

    private func checkKeys(_ reader: inout SettingReader) {
        if keys.isEmpty, reader.faults.isEmpty { reader.fault("keys", "expected at least one key, found none") }
        var seen: Set<String> = []
        for key in keys {
            for (name, value) in [("file", key.file), ("id", key.identifier), ("team", key.team)] where value.isEmpty {
                reader.faultUnlessTold("keys.\(key.name).\(name)", "expected a value, found none")
            }
            if key.apps.isEmpty {
                reader.faultUnlessTold("keys.\(key.name).apps", "expected at least one app, found none")
            }
            for app in key.apps where !seen.insert(app).inserted {
                reader.fault("keys.\(key.name).apps", "expected each app once, found '\(app)' again")
            }
        }
    }

    /// The place of an app's key; nil: there is none for it.
    public func key(ofApp app: String) -> Int? {
        keys.firstIndex { $0.apps.contains { $0.utf8.elementsEqual(app.utf8) } }
    }

    public func origin(isSandbox: Bool) -> String { isSandbox ? sandbox : production }
}

extension SettingReader {
    fileprivate mutating func text(_ name: String, expected: String, standard: String, _ isTaken: (String) -> Bool)
        -> String
    {
        read(name, expected: expected, standard: standard) { value in
            guard case .text(let text) = value, text.utf8.count <= Self.textBytes, isTaken(text) else { return nil }
            return text
        }
    }

    fileprivate mutating func origin(_ name: String, standard: String) -> String {
        text(name, expected: "https://HOST or https://HOST:PORT", standard: standard) { text in
            let host = text.utf8.dropFirst(8)
            return text.utf8.starts(with: "https://".utf8) && !host.isEmpty
                && host.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") }
        }
    }

    fileprivate mutating func absolutePath(_ name: String, standard: String) -> String {
        text(name, expected: "an absolute path", standard: standard) { text in
            text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(0)
        }
    }

    fileprivate mutating func appleIdentifier(_ name: String) -> String {
        text(name, expected: "ten capital letters and digits", standard: "") { text in
            text.utf8.count == 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        }
    }

    fileprivate mutating func apps(_ name: String) -> [String] {
        read(name, expected: "a list of bundle identifiers", standard: []) { value in
            guard case .list(let values) = value else { return nil }
            let apps = values.compactMap { value -> String? in
                guard case .text(var text) = value else { return nil }
                return text.withUTF8 { Name.isPlain(UnsafeRawBufferPointer($0), limit: Limits.appBytes) } ? text : nil
            }
            return apps.count == values.count && !apps.isEmpty ? apps : nil
        }
    }

    /// A fault of a value that stands there with another fault already is not told twice.
    fileprivate mutating func faultUnlessTold(_ path: String, _ message: String) {
        if !faults.contains(where: { $0.path == path }) { fault(path, message) }
    }
}
