import Foundation
import Synchronization
import Testing

@testable import RationStore

@Suite("The format of a store's folder")
struct StoreFormatTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/data" }

    init() throws {
        folder = try TemporaryFolder()
        _ = try RocksDBStore(folder: folder.path + "/data", .small)
    }

    private func write(_ version: Int) throws {
        try FileTree(path).write(Array("ration store format \(version)\nlog 7f3a\n".utf8), to: "store")
    }

    private func version() throws -> String {
        String(decoding: try FileTree(path).bytes("store").prefix { $0 != 0x0A }, as: UTF8.self)
    }

    @Test("A later version is refused by name, and so is an earlier one that nothing migrates")
    func refused() throws {
        let later = StoreFormat.current.version + 1
        try write(later)
        let error = #expect(throws: StoreError.self) { try RocksDBStore(folder: path, .small) }
        #expect(error?.code == .format, "\(error?.description ?? "")")
        #expect(
            error?.message.hasPrefix("its format is version \(later); this program knows version") == true
                && error?.message.hasSuffix("a later version of this program made it: use that one") == true)
        try write(0)
        let old = #expect(throws: StoreError.self) { try RocksDBStore(folder: path, .small) }
        #expect(old?.code == .format && old?.message.hasSuffix("use an earlier version of this program") == true)
        #expect(try version() == "ration store format 0", "nothing was changed")
    }

    @Test(
        "An earlier version is brought up step by step, each told in the folder; one beyond the first step is refused")
    func migrated() throws {
        let steps = Mutex<[Int]>([])
        let format = StoreFormat(
            version: 5,
            migrations: [
                3: { _ in steps.withLock { $0.append(3) } }, 4: { _ in steps.withLock { $0.append(4) } },
                1: { _ in Issue.record("there is no step from 2") },
            ])
        for (found, expected) in [(3, [3, 4]), (4, [4]), (5, [])] {
            try write(found)
            steps.withLock { $0 = [] }
            let folder = try StoreFolder(path, format: format) { "new" }
            #expect(folder.log == "7f3a")
            #expect(steps.withLock { $0 } == expected)
            #expect(try version() == "ration store format 5")
        }
        try write(2)
        let error = #expect(throws: StoreError.self) { try StoreFolder(path, format: format) { "new" } }
        #expect(error?.message.hasPrefix("its format is version 2; this program knows versions 3 to 5;") == true)
        try write(4)
        let reading = #expect(throws: StoreError.self) { try StoreFolder(reading: path, format: format) }
        #expect(reading?.code == .format, "a reader changes nothing")
    }

    @Test("A step that fails leaves the version that it began with, and is taken again")
    func failing() throws {
        let fails = Mutex(true)
        let format = StoreFormat(
            version: 3,
            migrations: [
                1: { _ in },
                2: { path throws(StoreError) in
                    if fails.withLock({ $0 }) { throw StoreError(.noSpace, path: path, "full") }
                },
            ])
        try write(1)
        let error = #expect(throws: StoreError.self) { try StoreFolder(path, format: format) { "new" } }
        #expect(error?.code == .noSpace)
        #expect(try version() == "ration store format 2")
        fails.withLock { $0 = false }
        _ = try StoreFolder(path, format: format) { "new" }
        #expect(try version() == "ration store format 3")
    }

    @Test("A database whose file 'store' is missing is told, and gets no new log's name")
    func missing() throws {
        let tree = FileTree(path)
        try tree.remove("store")
        for file in ["rocksdb", "acknowledged"] {
            let error = #expect(throws: StoreError.self) { try RocksDBStore(folder: path, .small) }
            #expect(error?.code == .damaged)
            #expect(
                error?.message == "it is missing, and \(path)/\(file) is there: nobody can tell which log that is of")
            #expect(!FileManager.default.fileExists(atPath: path + "/store"))
            try tree.remove(file)
        }
        _ = try RocksDBStore(folder: path, .small)
    }
}
