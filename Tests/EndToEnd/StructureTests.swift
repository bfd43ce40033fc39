import Foundation
import Testing

@Suite("the tree is what its map says") struct StructureTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(
        "Foundation stays out of the core and of the wire",
        arguments: [
            "RationModel", "RationPlanner", "RationJSON", "RationWire", "RationStore", "RationBus", "RationBroker",
        ])
    func noFoundation(layer: String) throws {
        let folder = root.appending(path: "Sources/\(layer)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("import Foundation"), "\(file.lastPathComponent)")
        }
    }

    @Test("no plugin imports another")
    func pluginsApart() throws {
        let plugins = ["SoonestOrder", "PriorityOrder"]
        let enumerator = FileManager.default.enumerator(
            at: root.appending(path: "Plugins"), includingPropertiesForKeys: nil)
        var count = 0
        while let file = enumerator?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            count += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            for plugin in plugins { #expect(!text.contains("import \(plugin)"), "\(file.lastPathComponent)") }
        }
        #expect(count >= plugins.count)
    }
}
