import Glibc
public import RationModel
internal import RationJSON
internal import RationWire

/// Requests that are kept aside, `poison` in the data folder: of each its body, and what is known of it as JSON. One that is being
/// tried alone is there too, with another ending, until it is decided.
public struct PoisonFolder: Sendable {
    /// A request that has ended the broker twice.
    public struct Entry: Sendable, Hashable {
        public var hash: UInt64
        /// Empty for none.
        public var publisher: String
        public var number: UInt64
        public var bytes: Int
        /// When it was last tried.
        public var at: Instant

        /// 16 hexadecimal digits: the name of its files.
        public var name: String { PoisonFolder.name(hash) }
    }

    public let path: String

    private static let condemned = ".json"
    private static let tried = ".trying"

    /// - Parameter data: the data folder; `poison` in it is made when something is kept.
    public init(data: String) {
        path = data + "/poison"
    }

    static func name(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The file of a request's body: NDJSON, as it was sent.
    public func bodyPath(_ hash: UInt64) -> String { "\(path)/\(Self.name(hash)).ndjson" }

    private func file(_ hash: UInt64, _ ending: String) -> String { "\(path)/\(Self.name(hash))\(ending)" }

    /// Those that are refused, by name.
    /// - Throws: `PoisonError` for a folder or a file that cannot be read, or is none of these.
    public func entries() throws(PoisonError) -> [Entry] {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw PoisonError(errnoAt: path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(Self.condemned) { names.append(name) }
        }
        var entries: [Entry] = []
        for name in names.sorted() { entries.append(try entry(path + "/" + name)) }
        return entries
    }

    private func entry(_ file: String) throws(PoisonError) -> Entry {
        let bytes = try Self.read(file)
        var parser = JSONParser()
        let object: JSONValue
        do throws(JSONError) {
            object = try parser.parse(bytes)
        } catch {
            throw PoisonError(path: file, message: "it is not JSON: \(error.message)")
        }
        guard let hash = object["hash"]?.text.flatMap({ UInt64($0, radix: 16) }),
            let at = object["at"]?.text.flatMap({ Instant(rfc3339: $0) })
        else { throw PoisonError(path: file, message: "it does not tell which request is kept") }
        return Entry(
            hash: hash, publisher: object["publisher"]?.text ?? "",
            number: UInt64(clamping: object["number"]?.integer ?? 0), bytes: Int(object["bytes"]?.integer ?? 0), at: at)
    }

    /// Those whose body holds a text, as it was sent.
    func entries(naming text: String) throws(PoisonError) -> [Entry] {
        let text = Array(text.utf8)
        var found: [Entry] = []
        for entry in try entries() where try body(of: entry.hash).contains(text) { found.append(entry) }
        return found
    }

    /// The body of a request that is kept.
    public func body(of hash: UInt64) throws(PoisonError) -> [UInt8] { try Self.read(bodyPath(hash)) }

    /// Keeps a request that is about to be tried alone.
    func keep(_ entry: Entry, _ body: UnsafeRawBufferPointer) throws(PoisonError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PoisonError(errnoAt: path) }
        try Self.write(body, to: bodyPath(entry.hash))
        let text = ObjectText.bytes { object in
            object.texts(("hash", entry.name), ("publisher", entry.publisher))
            object.integers(("number", Int(truncatingIfNeeded: entry.number)), ("bytes", body.count))
            object.text("at", entry.at.rfc3339)
        }
        try text.withUnsafeBufferPointer { bytes throws(PoisonError) in
            try Self.write(UnsafeRawBufferPointer(bytes), to: file(entry.hash, Self.tried))
        }
    }

    /// The request that was tried alone has ended the process.
    /// - Returns: the file of its body.
    func condemn(_ hash: UInt64) throws(PoisonError) -> String {
        let file = file(hash, Self.condemned)
        guard rename(self.file(hash, Self.tried), file) == 0 else { throw PoisonError(errnoAt: file) }
        return bodyPath(hash)
    }

    /// The request that was tried alone was decided.
    func release(_ hash: UInt64) {
        unlink(file(hash, Self.tried))
        unlink(bodyPath(hash))
    }

    private static func read(_ file: String) throws(PoisonError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PoisonError(errnoAt: file) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Limits.requestBytes * 2)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + filled, $0.count - filled)
            }
            guard count >= 0 else { throw PoisonError(errnoAt: file) }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: String) throws(PoisonError) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PoisonError(errnoAt: file) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else {
            throw PoisonError(errnoAt: file)
        }
    }
}

extension PoisonFolder.Entry {
    init(hash: UInt64, request: PublishRequest) {
        self.init(
            hash: hash, publisher: "\(request.publisher)", number: request.number, bytes: 0, at: SystemClock().now())
    }
}

/// What is noted of requests cannot be read or written.
public struct PoisonError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var message: String

    init(path: String, message: String) {
        (self.path, self.message) = (path, message)
    }

    init(path: String, code: Int32) {
        self.init(path: path, message: String(cString: strerror(code)))
    }

    init(errnoAt path: String) {
        self.init(path: path, code: errno)
    }

    public var description: String { "\(path): \(message)" }
}
