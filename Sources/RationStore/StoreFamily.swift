internal import RationModel
internal import RationRocksDB

/// The column families. All values but links are sealed (`SealedValue`); keys that are numbers are big-endian.
enum StoreFamily: Int, CaseIterable {
    /// `log`: the log's name. `segment` and a sequence number: an `EventSegment`. `revision`, kind and number: a revision.
    /// `forgetting` and a batch: a `Forgetting`. `sweeping`: empty.
    case state
    /// By batch: a `BatchLink`.
    case links
    /// By batch: its rows of intents and of outcomes, if they are not empty.
    case intents, outcomes
    /// By the position at which they begin: blocks of batches' contents.
    case batchContents
    /// By the position at which they begin: blocks of contents that the checkpoint has taken along, by hour of firing.
    case hourContents
    /// By the sequence number of the first event: a row of the log.
    case events
    /// By the recipient's key.
    case records
    /// By name: a `PublisherTable.Publisher`.
    case publishers
    /// By name and first number: the answers that a publisher got with one batch.
    case answers

    private var name: String {
        // RocksDB wants its first family so.
        self == .state ? "default" : "\(self)"
    }

    func family(_ settings: StoreSettings) -> RocksFamily {
        switch self {
        case .batchContents, .events: RocksFamily(name, .rows, memtableBytes: settings.memtableBytes)
        case .intents, .outcomes, .links: RocksFamily(name, .rows, memtableBytes: settings.memtableBytes / 2)
        case .records:
            // Only ever read as a whole, but by who forgets a recipient.
            RocksFamily(name, .records, memtableBytes: settings.memtableBytes, blockBytes: 64 << 10)
        case .hourContents: RocksFamily(name, .records, memtableBytes: settings.memtableBytes)
        case .state, .publishers, .answers:
            RocksFamily(name, .records, memtableBytes: max(64 << 10, settings.memtableBytes / 8))
        }
    }
}

/// Keys that are numbers: big-endian, so that the order of bytes is the order of numbers.
enum NumberKey {
    static func bytes(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// The number at a key's end; nil when the key is too short.
    static func number(_ key: UnsafeRawBufferPointer, after prefix: Int = 0) -> UInt64? {
        guard key.count == prefix + 8 else { return nil }
        return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: prefix, as: UInt64.self))
    }
}

/// The keys of `StoreFamily.state`, and those of answers.
enum StateKey {
    static let log = Array("log".utf8)
    static let segment = Array("segment".utf8)
    static let forgetting = Array("forgetting".utf8)
    /// There while files are let go of, in which bytes of a finished forgetting may still be.
    static let sweeping = Array("sweeping".utf8)

    /// Without the recipient's name, since RocksDB notes some keys in its journal of files.
    static func forgetting(_ forgetting: Forgetting) -> [UInt8] {
        self.forgetting + NumberKey.bytes(forgetting.batch)
    }

    static func segment(_ first: UInt64) -> [UInt8] { segment + NumberKey.bytes(first) }

    static func revisions(_ kind: StoredRevision.Kind) -> [UInt8] { Array("revision \(kind.rawValue) ".utf8) }

    static func revision(_ revision: StoredRevision) -> [UInt8] {
        revisions(revision.kind) + NumberKey.bytes(revision.number)
    }

    /// The length stands first, so that no name is the beginning of another one's keys.
    static func answers(of publisher: PublisherName, from first: UInt64) -> [UInt8] {
        [UInt8(publisher.bytes.count)] + publisher.bytes + NumberKey.bytes(first)
    }
}
