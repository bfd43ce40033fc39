public import RationModel

/// What the broker of one data folder is told.
public struct BrokerConfiguration: Hashable, Sendable {
    /// Where the policy comes from, or the categories.
    public enum PolicySource: Hashable, Sendable {
        /// Nothing names one: the defaults of semantics.md section 3, and no categories.
        case standard
        /// It stands in the configuration itself.
        case inline
        /// A file's path.
        case file(String)
    }

    /// The data folder.
    public var data = "ration-data"
    public var policySource = PolicySource.standard
    /// The policy that `policySource` holds, once it is read.
    public var policy = Policy()
    public var categoriesSource = PolicySource.standard
    /// The categories that `categoriesSource` holds, once they are read.
    public var categories = CategoryDeclarations()
    public var intents = Endpoint.intents
    public var events = Endpoint.events
    public var queries = Endpoint.queries
    /// nil: `admin` in the data folder.
    public var admin: Endpoint?
    /// nil: no HTTP.
    public var http: HTTPAddress? = .standard
    /// Bytes of the event log that are kept.
    public var retentionBytes = 1 << 30
    /// How long an event is kept at most; nil: as long as there is room for it.
    public var retentionMilliseconds: Int64?
    /// No intents are taken while the disk has fewer free bytes than the larger of the two.
    public var watermarkBytes = 2 << 30
    public var watermarkPercent = 5
    /// Bytes of a file that a start on a full disk lets go.
    public var ballastBytes = 512 << 20

    public static let retentionRange = (1 << 20)...(16 << 40)
    public static let retentionMillisecondsRange: ClosedRange<Int64> = 60_000...Limits.horizonMilliseconds
    public static let spaceRange = 0...(16 << 40)

    public init() {}

    /// Where policies are read and replaced.
    /// - Throws: `Mismatch`, when the data folder's path is too long for a socket in it.
    public func adminEndpoint() throws(Mismatch) -> Endpoint {
        if let admin { return admin }
        return try Endpoint("ipc://\(data)/admin")
    }
}

extension BrokerConfiguration {
    private static func size(_ text: String, in range: ClosedRange<Int>) throws(Mismatch) -> Int {
        guard let bytes = WrittenSize.bytes(text), range.contains(bytes) else {
            let ends = [range.lowerBound, range.upperBound].map(WrittenSize.text)
            throw Mismatch("expected a size from \(ends[0]) to \(ends[1]), found '\(Quoted.short(text))'")
        }
        return bytes
    }

    /// Every key of the section: the one source for decoding, options, help and messages.
    public static let keys = [
        ConfigurationKey(
            "data", "FOLDER", "the data folder; one broker at a time uses it", form: .path, default: "ration-data"
        ) {
            broker, text throws(Mismatch) in
            guard !text.isEmpty else { throw Mismatch("expected a folder, found an empty text") }
            broker.data = text
        },
        ConfigurationKey(
            "policy", "FILE", "the policy: who gets a slot", form: .pathOrMapping, default: "the standard policy"
        ) {
            broker, text throws(Mismatch) in
            guard !text.isEmpty else { throw Mismatch("expected a file, found an empty text") }
            broker.policySource = .file(text)
        },
        ConfigurationKey(
            "categories", "FILE", "the notification categories that apps declare", form: .pathOrMapping,
            default: "none, and then no category is looked at"
        ) {
            broker, text throws(Mismatch) in
            guard !text.isEmpty else { throw Mismatch("expected a file, found an empty text") }
            broker.categoriesSource = .file(text)
        },
        ConfigurationKey("intents", "ENDPOINT", "where services publish intents", default: Endpoint.intents.text) {
            broker, text throws(Mismatch) in broker.intents = try Endpoint(text)
        },
        ConfigurationKey("events", "ENDPOINT", "where live events are published", default: Endpoint.events.text) {
            broker, text throws(Mismatch) in broker.events = try Endpoint(text)
        },
        ConfigurationKey(
            "queries", "ENDPOINT", "where the log, plans and status are read", default: Endpoint.queries.text
        ) {
            broker, text throws(Mismatch) in broker.queries = try Endpoint(text)
        },
        ConfigurationKey(
            "admin", "ENDPOINT", "where policies are read and replaced: a Unix socket that is its owner's alone",
            default: "ipc://FOLDER/admin, in the data folder"
        ) {
            broker, text throws(Mismatch) in
            guard text.hasPrefix("ipc://") else {
                throw Mismatch(
                    "expected ipc://PATH, since whoever can connect may replace the policy, found "
                        + "'\(Quoted.short(text))'")
            }
            broker.admin = try Endpoint(text)
        },
        ConfigurationKey(
            "http", "ADDRESS:PORT", "where health is told over HTTP, or off", default: "\(HTTPAddress.standard)"
        ) {
            broker, text throws(Mismatch) in broker.http = text == "off" ? nil : try HTTPAddress(text)
        },
        ConfigurationKey(
            "retentionBytes", "SIZE", "how much of the event log is kept, in bytes or with KiB, MiB or GiB",
            form: .size, default: "1GiB"
        ) {
            broker, text throws(Mismatch) in broker.retentionBytes = try size(text, in: retentionRange)
        },
        ConfigurationKey(
            "retention", "DURATION", "how long an event is kept at most, or off", default: "off"
        ) {
            broker, text throws(Mismatch) in
            guard text != "off" else { return broker.retentionMilliseconds = nil }
            guard let milliseconds = WrittenDuration.milliseconds(text),
                retentionMillisecondsRange.contains(milliseconds)
            else {
                let ends = [retentionMillisecondsRange.lowerBound, retentionMillisecondsRange.upperBound]
                    .map(WrittenDuration.text)
                throw Mismatch(
                    "expected off or a duration from \(ends[0]) to \(ends[1]), found '\(Quoted.short(text))'")
            }
            broker.retentionMilliseconds = milliseconds
        },
        ConfigurationKey(
            "watermarkBytes", "SIZE", "free bytes of the disk below which no intents are taken", form: .size,
            default: "2GiB"
        ) {
            broker, text throws(Mismatch) in broker.watermarkBytes = try size(text, in: spaceRange)
        },
        ConfigurationKey(
            "watermarkPercent", "PERCENT", "free part of the disk below which no intents are taken", form: .size,
            default: "5"
        ) {
            broker, text throws(Mismatch) in
            guard let percent = Int(text), Limits.percent.contains(percent) else {
                throw Mismatch("expected a whole number from 0 to 100, found '\(Quoted.short(text))'")
            }
            broker.watermarkPercent = percent
        },
        ConfigurationKey(
            "ballastBytes", "SIZE", "a file that is let go when a start finds the disk full; 0 for none", form: .size,
            default: "512MiB"
        ) {
            broker, text throws(Mismatch) in broker.ballastBytes = try size(text, in: spaceRange)
        },
    ]
}

/// One key of a configuration's section, which is also an option of the command that the section is for.
public struct ConfigurationKey: Sendable {
    /// How a document writes its value.
    public enum Form: Sendable {
        case text
        /// A path; a relative one starts at the folder of the document.
        case path
        /// A path, or what it would name written out as a mapping.
        case pathOrMapping
        /// A whole number, or a text with a unit.
        case size
    }

    public let name: String
    /// What stands for its value in the help.
    public let placeholder: String
    public let meaning: String
    public let form: Form
    public let defaultText: String
    let set: @Sendable (inout BrokerConfiguration, String) throws(Mismatch) -> Void

    init(
        _ name: String, _ placeholder: String, _ meaning: String, form: Form = .text, default defaultText: String,
        set: @escaping @Sendable (inout BrokerConfiguration, String) throws(Mismatch) -> Void
    ) {
        self.name = name
        self.placeholder = placeholder
        self.meaning = meaning
        self.form = form
        self.defaultText = defaultText
        self.set = set
    }

    /// Says whether a text is a value of this key.
    /// - Throws: `Mismatch` if not.
    public func check(_ text: String) throws(Mismatch) {
        var scratch = BrokerConfiguration()
        try set(&scratch, text)
    }
}
