import TestProcesses
import Testing

@Suite(
    "A broker under load on a small disk", .serialized,
    .enabled(if: SmallDisk.canMount, "mounting a small disk needs root"))
struct SmallDiskTests {
    private static let mebibyte = 1 << 20

    /// Publishes until something is so.
    private func run(
        _ load: BrokerUnderLoad, until isSo: () -> Bool, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let deadline = Deadline()
        while !isSo() {
            try deadline.require("what fills the disk shows", location)
            try load.run(milliseconds: 20)
        }
    }

    @Test("below the watermark nothing is taken, and everything once there is room; nothing is lost or taken twice")
    func watermark() throws {
        let disk = try SmallDisk(megabytes: 64)
        let store = ["--ballastBytes", "4194304", "--watermarkBytes", "16777216", "--watermarkPercent", "0"]
        let load = try BrokerUnderLoad(in: disk.folder, store: store)
        try load.run(milliseconds: 100)
        for _ in 0..<2 {
            disk.fill(leaving: 12 * Self.mebibyte)
            try run(load) { load.publishers.allSatisfy { $0.lastPostponement?.contains("full") ?? false } }
            disk.empty()
            try load.drain()
        }
        try load.waitUntilQuiet()
        try load.compare()
    }

    @Test("a full disk ends the broker, which says so, does not start while it is full, and comes back with all")
    func full() throws {
        let disk = try SmallDisk(megabytes: 48)
        let load = try BrokerUnderLoad(in: disk.folder)
        try load.run(milliseconds: 100)
        disk.fill(leaving: 0)
        let ending = try load.runUntilItEnds()
        #expect(ending != .status(0), "\(load.broker.process.errorText)")
        #expect(load.broker.process.errorText.contains("No space left on device"), "\(load.broker.process.errorText)")
        // What it had reserved is free again.
        disk.fill(leaving: 0)
        let arguments = BrokerProcess.arguments(folder: disk.folder, .ipc, http: false)
        let early = try ChildProcess(try Executables.ration(), arguments)
        #expect(try early.wait() != .status(0))
        #expect(early.errorText.contains("No space left on device"), "\(early.errorText)")
        disk.empty()
        try load.start()
        try load.drain()
        try load.waitUntilQuiet()
        try load.compare()
    }
}
