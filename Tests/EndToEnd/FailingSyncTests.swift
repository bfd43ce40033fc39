import Glibc
import TestSupport
import Testing

@Suite("A broker whose disk does not sync", .serialized)
struct FailingSyncTests {
    /// Built beside the tests.
    private static func library() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        try #require(count > 0)
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let library = "\(folder)/libPreloadedSync.so"
        try #require(access(library, R_OK) == 0, "\(library) is not built")
        return library
    }

    @Test("a sync that fails ends it with the disk's words, and all that it has acknowledged is there again")
    func failing() throws {
        let load = try BrokerUnderLoad()
        for _ in 0..<6 {
            try load.kill()
            let place = 20 + load.below(60)
            try load.start(environment: ["LD_PRELOAD": try Self.library(), "RATION_SYNC_FAILS": "\(place)"])
            let ending = try load.runUntilItEnds()
            let words = load.broker.process.errorText
            #expect(ending != .status(0) && words.contains("Input/output error"), "\(ending): \(words)")
            #expect(words.contains("may be written or not"), "\(words)")
            try load.start()
            try load.run(milliseconds: 60)
        }
        try load.drain()
        try load.waitUntilQuiet()
        try load.compare()
    }

    @Test("syncs that are left out cost nothing while only processes are killed")
    func dropped() throws {
        let load = try BrokerUnderLoad()
        for _ in 0..<4 {
            try load.kill()
            try load.start(environment: ["LD_PRELOAD": try Self.library(), "RATION_SYNC_DROPPED": "1"])
            try load.run(milliseconds: 100)
        }
        try load.drain()
        try load.waitUntilQuiet()
        try load.compare()
    }
}
