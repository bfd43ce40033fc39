import Glibc
import RationModel
import RationWire

/// Notes which requests are being decided, in a file that survives the process, so that the one that ends it is found (store.md,
/// "Poison"): after a crash the requests that were being decided are tried alone when they come again, and one that then ends the
/// process is refused and kept aside for a person.
///
/// The note is a few words in mapped memory: it is not synced, as a machine that stops is no request's fault. One thread uses
/// it.
final class PoisonWatch {
    /// Words of the file.
    private enum Place {
        static let magic = 0
        static let crashed = 1
        static let notedCount = 2
        static let noted = 3
        static let suspectCount = noted + notedLimit
        static let suspects = suspectCount + 1
        static let end = suspects + suspectLimit
    }

    private static let magic: UInt64 = 0x3165_6469_6365_64
    /// Requests of a batch that are noted; a batch has no more.
    private static let notedLimit = 1_024
    /// Requests that are to be tried alone; further ones are forgotten.
    private static let suspectLimit = 4_096

    private let words: UnsafeMutablePointer<UInt64>
    private let folder: PoisonFolder
    private var suspects: Set<UInt64>
    private var poisoned: Set<UInt64>
    /// The suspect that the batch holds, alone.
    private var trying: UInt64?
    /// What there is to tell about the last process of the broker, for people.
    private(set) var report: [String] = []
    private let deadlyText = DeadlyText()

    /// Reads what the last process has left, and begins to note.
    /// - Parameter data: the data folder.
    /// - Throws: `PoisonError`.
    init(data: String) throws(PoisonError) {
        words = try Self.map(data + "/deciding")
        folder = PoisonFolder(data: data)
        suspects = Set((0..<Int(words[Place.suspectCount])).map { [words] in words[Place.suspects + $0] })
        poisoned = Set(try folder.entries().map(\.hash))
        if words[Place.crashed] == 1 {
            try blame(Set((0..<Int(words[Place.notedCount])).map { words[Place.noted + $0] }))
        }
        (words[Place.crashed], words[Place.notedCount]) = (0, 0)
        CrashMark.install(marking: words + Place.crashed)
    }

    deinit {
        munmap(words, Place.end * 8)
    }

    private static func map(_ path: String) throws(PoisonError) -> UnsafeMutablePointer<UInt64> {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PoisonError(errnoAt: path) }
        defer { close(file) }
        // All of its room now: a page that the disk has no room for would end the process when it is touched.
        let code = posix_fallocate(file, 0, Place.end * 8)
        guard code == 0 else { throw PoisonError(path: path, code: code) }
        let memory = mmap(nil, Place.end * 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let memory, memory != MAP_FAILED else { throw PoisonError(errnoAt: path) }
        let words = memory.bindMemory(to: UInt64.self, capacity: Place.end)
        let isSound =
            words[Place.magic] == magic && words[Place.notedCount] <= notedLimit
            && words[Place.suspectCount] <= suspectLimit
        if !isSound {
            words.update(repeating: 0, count: Place.end)
            words[Place.magic] = magic
        }
        return words
    }

    /// The last process has crashed while it decided these.
    private func blame(_ noted: Set<UInt64>) throws(PoisonError) {
        if noted.count == 1, let hash = noted.first, suspects.remove(hash) != nil {
            let path = try folder.condemn(hash)
            poisoned.insert(hash)
            report.append(
                "a request has ended the broker twice while it was decided: it is refused from now on, and kept in \(path) "
                    + "(ration poison)")
        } else if !noted.isEmpty {
            suspects.formUnion(noted)
            let requests = noted.count == 1 ? "a request, which is" : "\(noted.count) requests, which are"
            report.append("the broker has crashed while it decided \(requests) tried alone when sent again")
        } else {
            report.append("the broker has crashed; no request was being decided")
        }
        keepSuspects()
    }

    private func keepSuspects() {
        let kept = suspects.sorted().prefix(Self.suspectLimit)
        for (index, hash) in kept.enumerated() { words[Place.suspects + index] = hash }
        words[Place.suspectCount] = UInt64(kept.count)
    }

    /// The hash that a named publisher's request has anyway.
    private static func hash(_ body: UnsafeRawBufferPointer) -> UInt64 { ByteHash.hash(body, seed: 0) }

    /// Whether a batch holds a request that has to be alone in it.
    var isTryingAlone: Bool { trying != nil }

    /// Whether a request has to be alone in its batch.
    func isSuspect(_ body: UnsafeRawBufferPointer) -> Bool {
        !suspects.isEmpty && suspects.contains(Self.hash(body))
    }

    /// Notes a request that is about to be read and decided.
    /// - Returns: why it is refused instead.
    func note(_ request: PublishRequest, _ body: UnsafeRawBufferPointer) -> RequestFault? {
        let hash = request.publisher.isEmpty ? Self.hash(body) : request.bodyHash
        if poisoned.contains(hash) {
            return RequestFault(
                .poison,
                "this request has ended the broker twice while it was decided; it is kept in \(folder.bodyPath(hash))")
        }
        let count = words[Place.notedCount]
        if count < Self.notedLimit {
            words[Place.noted + Int(count)] = hash
            words[Place.notedCount] = count + 1
        }
        deadlyText.look(at: body)
        if suspects.contains(hash) {
            trying = hash
            do throws(PoisonError) {
                try folder.keep(PoisonFolder.Entry(hash: hash, request: request), body)
            } catch {
                report.append("a request that is tried alone could not be kept aside: \(error)")
            }
        }
        return nil
    }

    /// What is noted is decided now: the deciding thread calls it right before.
    func begin() { deadlyText.dieIfSeen() }

    /// What was noted is decided.
    func end() {
        words[Place.notedCount] = 0
        guard let hash = trying else { return }
        trying = nil
        suspects.remove(hash)
        keepSuspects()
        folder.release(hash)
    }

    func takeReport() -> [String] {
        defer { report.removeAll() }
        return report
    }
}

/// For tests of crashes, in debug builds only: a text in a request that ends the process while it is decided.
private final class DeadlyText {
    #if DEBUG
        private let text = getenv("RATION_DIES_ON").map { Array(String(cString: $0).utf8) } ?? []
        private var isSeen = false
    #endif

    func look(at body: UnsafeRawBufferPointer) {
        #if DEBUG
            guard !text.isEmpty, body.count >= text.count else { return }
            let isThere = (0...body.count - text.count).contains { body[$0..<$0 + text.count].elementsEqual(text) }
            isSeen = isSeen || isThere
        #endif
    }

    func dieIfSeen() {
        #if DEBUG
            if isSeen { fatalError("RATION_DIES_ON") }
        #endif
    }
}
