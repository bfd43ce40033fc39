internal import Glibc
internal import RationModel

/// Notes in a file which pushes have ended, before their end is committed: what kills the process leaves it whole, so that none
/// of them is sent again. It is not synced: after the machine's own end some may be.
final class EndedJournal {
    /// An end that no commit has taken over yet.
    struct Record: Hashable {
        var source: Push.Source
        /// nil: it was delivered.
        var failure: String?
    }

    let file: String
    private let descriptor: Int32
    private(set) var records: [Push.Source: Record] = [:]
    /// Whether the process before this one has noted ends.
    private(set) var hasGrown = false
    private var unwritten: [UInt8] = []

    /// Opens the file; makes it where there is none.
    /// - Throws: ``JournalError``.
    init(_ file: String) throws(JournalError) {
        self.file = file
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw JournalError(file, errno) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            guard count >= 0 else { throw JournalError(file, errno) }
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        read(bytes)
        // What comes behind this mark is this process's.
        if hasGrown {
            append(Push.Source(log: "", sequence: 0), failure: nil)
            try flush()
        }
    }

    deinit {
        close(descriptor)
    }

    /// A record, or with the sequence 0 a mark: bytes of what follows, sequence, bytes of the log's name and the name, and the failure. A last one that is cut
    /// was not noted.
    private func read(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while place + 2 <= bytes.count {
                let count = Int(bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
                guard count >= 10, place + 2 + count <= bytes.count else { return }
                let record = UnsafeRawBufferPointer(rebasing: bytes[place + 2..<place + 2 + count])
                let nameEnd = min(count, 9 + Int(record[8]))
                let log = String(decoding: record[9..<nameEnd], as: UTF8.self)
                let source = Push.Source(log: log, sequence: record.loadUnaligned(as: UInt64.self))
                let failure = String(decoding: record[nameEnd...].dropFirst(), as: UTF8.self)
                let isFailure = record[nameEnd...].first == 1
                hasGrown = source.sequence > 0
                if hasGrown { records[source] = Record(source: source, failure: isFailure ? failure : nil) }
                place += 2 + count
            }
        }
    }

    /// Notes an end; ``flush()`` writes it.
    func note(_ source: Push.Source, failure: String?) {
        records[source] = Record(source: source, failure: failure)
        append(source, failure: failure)
    }

    private func append(_ source: Push.Source, failure: String?) {
        let (name, reason) = (source.log.utf8.prefix(255), (failure ?? "").utf8.prefix(Limits.reasonBytes))
        withUnsafeBytes(of: UInt16(10 + name.count + reason.count)) { unwritten += $0 }
        withUnsafeBytes(of: source.sequence) { unwritten += $0 }
        unwritten.append(UInt8(name.count))
        unwritten += name
        unwritten.append(failure == nil ? 0 : 1)
        unwritten += reason
    }

    func flush() throws(JournalError) {
        var rest = unwritten[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw JournalError(file, errno) }
            rest = rest.dropFirst(count)
        }
        unwritten.removeAll(keepingCapacity: true)
    }

    /// Forgets all: it is committed.
    func clear() throws(JournalError) {
        guard !records.isEmpty || !unwritten.isEmpty else { return }
        guard ftruncate(descriptor, 0) == 0 else { throw JournalError(file, errno) }
        records.removeAll(keepingCapacity: true)
        unwritten.removeAll(keepingCapacity: true)
    }
}

/// A journal that cannot be written or read.
struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    var file: String
    var message: String

    init(_ file: String, _ code: Int32) {
        (self.file, message) = (file, String(cString: strerror(code)))
    }

    var description: String { "\(file): \(message)" }
}
