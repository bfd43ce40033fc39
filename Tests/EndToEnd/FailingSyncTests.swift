import TestSupport
import TestProcesses
import Testing

@Suite("A broker whose disk does not sync", .serialized)
struct FailingSyncTests {
    /// Makes the library that is loaded into the broker.
    private static func library(in folder: TemporaryFolder) throws -> String {
        let library = "\(folder.path)/sync.so"
        let source = "\(Executables.root)/Tests/EndToEnd/Support/PreloadedSync.c"
        let compiler = try ChildProcess("clang", ["-shared", "-fPIC", "-o", library, source])
        #expect(try compiler.wait() == .status(0), "\(compiler.errorText)")
        return library
    }

    @Test("a sync that fails ends it with the disk's words, and all that it has acknowledged is there again")
    func failing() throws {
        let load = try BrokerUnderLoad()
        let library = try Self.library(in: load.folder)
        for round in 0..<6 {
            try load.kill()
            // Not before it is ready, however often a start syncs.
            let isReady = "\(load.folder.path)/ready-\(round)"
            try load.start(environment: [
                "LD_PRELOAD": library, "RATION_SYNC_FAILS": "\(1 + load.below(60))", "RATION_SYNC_FAILS_AFTER": isReady,
            ])
            _ = try load.folder.write("", to: "ready-\(round)")
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
        let library = try Self.library(in: load.folder)
        for _ in 0..<4 {
            try load.kill()
            try load.start(environment: ["LD_PRELOAD": library, "RATION_SYNC_DROPPED": "1"])
            try load.run(milliseconds: 100)
        }
        try load.drain()
        try load.waitUntilQuiet()
        try load.compare()
    }
}
