internal import RationModel
internal import RationRocksDB

/// Reads all of a store that nobody writes to, without changing it, and tells exactly what of it is damaged: every row of every
/// family, its checksum and its key, the chain of batches, and events without holes.
///
/// A store that cannot be opened at all is told by the error of `init`.
public struct StoreCheck {
    /// What was read of a family.
    public struct Rows: Sendable, Hashable {
        public var family: String
        public var rows = 0
        public var bytes: UInt64 = 0
    }

    public let log: String
    public private(set) var rows: [Rows] = []
    /// What is damaged, one thing each, at most ``findingLimit``.
    public private(set) var findings: [String] = []
    /// How many more there are.
    public private(set) var omitted = 0
    /// The last batch, as far as the chain can be read.
    public var lastBatch: UInt64 { last.batch }
    /// The positions of the log.
    public private(set) var range = LogRange(first: 1, last: 0)

    public static let findingLimit = 1_000

    let database: RocksDatabase
    private let acknowledged: Acknowledged?
    /// The last link that can be read.
    private(set) var last = BatchLink()
    /// Those that have rows of intents or outcomes.
    private(set) var links: [BatchLink] = []

    /// Opens a store, and reads nothing yet.
    /// - Throws: ``StoreError`` for one that cannot be opened.
    public init(folder path: String, _ settings: StoreSettings = StoreSettings()) throws(StoreError) {
        let folder = try StoreFolder(reading: path)
        log = folder.log
        acknowledged = try AcknowledgedFile.read(folder.acknowledged)
        database = try StoreOpening(reading: folder, settings).database
    }

    /// Whether what was read is what was committed.
    public var isSound: Bool { findings.isEmpty }

    /// Reads all.
    /// - Parameter progress: told each family before it is read.
    public mutating func run(_ progress: (_ family: String) -> Void = { _ in }) {
        progress("links")
        checkLinks()
        progress("state")
        let segments = checkState()
        progress("events")
        checkEvents(from: segments)
        for family in [StoreFamily.intents, .outcomes] {
            progress("\(family)")
            checkRows(of: family)
        }
        for family in [StoreFamily.batchContents, .hourContents] {
            progress("\(family)")
            checkBlocks(of: family)
        }
        progress("records")
        checkSealed(.records) { _, _ in true }
        progress("publishers")
        checkPublishers()
    }

    mutating func setFirst(_ first: UInt64) { range.first = first }

    mutating func find(_ finding: String) {
        if findings.count < Self.findingLimit { findings.append(finding) } else { omitted += 1 }
    }

    /// Walks over a family.
    /// - Parameters:
    ///   - span: the words for the rows from a key on, before another; nil: to the end.
    ///   - row: takes each row that can be read.
    mutating func walk(
        _ family: StoreFamily, from first: [UInt8] = [], span: (_ from: [UInt8], _ before: [UInt8]?) -> String,
        _ row: (inout StoreCheck, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        var walk = RowWalk(database, family, from: first)
        var seen = Rows(family: "\(family)")
        while true {
            switch walk.step() {
            case .end:
                rows.append(seen)
                return
            case .unreadable(let from, let before, let error):
                find("\(family): \(span(from, before)) cannot be read: \(error.message)")
            case .row:
                seen.rows += 1
                seen.bytes += UInt64(walk.value.count)
                row(&self, walk.key, walk.value)
            }
        }
    }

    /// Checks the seal of each row of a family.
    /// - Parameter body: says whether it can read a row's body.
    mutating func checkSealed(
        _ family: StoreFamily, _ body: (_ key: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer) -> Bool
    ) {
        walk(family, span: Self.texts) { check, key, value in
            guard let sealed = SealedValue(value, key: key), body(key, sealed.body) else {
                check.find(
                    "\(family): the row of \(Self.text(key)), \(value.count) bytes, is not what was committed")
                return
            }
        }
    }

    /// Checks the seal of each block of contents.
    private mutating func checkBlocks(of family: StoreFamily) {
        walk(family, span: Self.numbers("blocks")) { check, key, value in
            guard SealedValue(value, key: key) == nil else { return }
            check.find("\(family): \(Self.number("block", key)), \(value.count) bytes, is not what was committed")
        }
    }

    /// A key of names: what is no text stands as numbers.
    static func text(_ key: UnsafeRawBufferPointer) -> String {
        let parts = key.split(whereSeparator: { $0 < 0x20 || $0 == 0x7F }).map { String(decoding: $0, as: UTF8.self) }
        return "'\(parts.joined(separator: " "))'"
    }

    private static func texts(_ from: [UInt8], _ before: [UInt8]?) -> String {
        let start = from.isEmpty ? "all rows" : "all rows from \(from.withUnsafeBytes(text)) on"
        return start + (before.map { ", before \($0.withUnsafeBytes(text))," } ?? "")
    }

    /// Rows whose keys are numbers.
    static func numbers(_ what: String) -> (_ from: [UInt8], _ before: [UInt8]?) -> String {
        { from, before in
            let start = KeyBeginning.number(from).map { from.count > 8 ? $0 + 1 : $0 } ?? 0
            return "\(what) from \(start) " + (before.flatMap(KeyBeginning.number).map { "to \($0 - 1)" } ?? "on")
        }
    }

    static func number(_ what: String, _ key: UnsafeRawBufferPointer) -> String {
        NumberKey.number(key).map { "\(what) \($0)" } ?? "a key of \(key.count) bytes"
    }
}

/// The number that a key, or a place right behind one, begins with.
private enum KeyBeginning {
    static func number(_ key: [UInt8]) -> UInt64? {
        key.count < 8 ? nil : key.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The chain of batches.
extension StoreCheck {
    private mutating func checkLinks() {
        var found: [BatchLink] = []
        walk(.links, span: Self.numbers("batches")) { check, key, value in
            guard let link = BatchLink(value), NumberKey.number(key) == link.batch else {
                check.find("links: the link of \(Self.number("batch", key)) is not what was committed")
                return
            }
            found.append(link)
        }
        guard let last = found.last else { return find("links: there is none that can be read") }
        self.last = last
        range.last = last.lastSequence
        // Those before it are needed no more; some of them may have gone.
        found.removeAll { $0.batch < last.firstLink }
        checkChain(found)
        checkAcknowledged()
        links = found.filter { $0.batch >= last.firstNeeded && ($0.intentsHash != 0 || $0.outcomesHash != 0) }
    }

    private mutating func checkChain(_ links: [BatchLink]) {
        var before: BatchLink?
        for link in links {
            let expected = before.map { $0.batch + 1 } ?? last.firstLink
            if link.batch != expected {
                find("links: batches \(expected) to \(link.batch - 1) are missing or cannot be read")
            } else if let before, link.previous != before.hash {
                find(
                    "links: batch \(before.batch) is not what batch \(link.batch) follows, or a revision between them is missing"
                )
            } else if let before, link.firstSequence != before.lastSequence + 1 {
                find("links: batch \(link.batch) does not begin with event \(before.lastSequence + 1)")
            }
            before = link
        }
    }

    private mutating func checkAcknowledged() {
        guard let acknowledged else { return }
        if last.batch < acknowledged.batch {
            find("the log ends at batch \(last.batch), and batch \(acknowledged.batch) was acknowledged")
        }
        if last.revisions < acknowledged.revisions {
            find("the log ends at revision \(last.revisions), and revision \(acknowledged.revisions) was acknowledged")
        }
    }

    /// Rows of intents and of outcomes, each against its link.
    private mutating func checkRows(of family: StoreFamily) {
        var wanted = links[...]
        func hash(_ link: BatchLink) -> UInt64 { family == .intents ? link.intentsHash : link.outcomesHash }
        let first = NumberKey.bytes(last.firstNeeded)
        let lastBatch = last.batch
        walk(family, from: first, span: Self.numbers("batches")) { check, key, value in
            guard let batch = NumberKey.number(key), batch <= lastBatch else {
                return check.find("\(family): there is a row of \(Self.number("batch", key)), beyond the last")
            }
            while let link = wanted.first, link.batch < batch {
                wanted.removeFirst()
                if hash(link) != 0 { check.find("\(family): the row of batch \(link.batch) is missing") }
            }
            let link = wanted.first?.batch == batch ? wanted.removeFirst() : nil
            let sealed = SealedValue(value, key: key)
            if sealed == nil || link.map({ hash($0) != sealed?.hash }) ?? false {
                check.find(
                    "\(family): the row of batch \(batch), \(value.count) bytes, is not what was committed")
            }
        }
        for link in wanted where hash(link) != 0 { find("\(family): the row of batch \(link.batch) is missing") }
    }
}
