import Glibc
import RationModel
import RationZones
import Testing

@Suite("The names of time zones")
struct ZoneNamesTests {
    private func contains(_ name: String, in zones: ZoneNames) -> Bool {
        Array(name.utf8).withUnsafeBytes { zones.contains($0) }
    }

    @Test(
        "names are known byte for byte",
        arguments: [
            ("Europe/Madrid", true), ("UTC", true), ("America/Argentina/Buenos_Aires", true), ("Etc/GMT+12", true),
            ("Europe/madrid", false), ("", false), ("../etc/passwd", false), ("America", false), ("America/", false),
            ("/Europe/Madrid", false), ("Europe/Madrid ", false), ("Europe/Madri", false), ("Europe/Madrid\0", false),
            ("posix/Europe/Madrid", false), ("right/UTC", false), ("localtime", false), ("posixrules", false),
            ("tzdata.zi", false), ("zone.tab", false), ("Zzz", false), ("A", false),
        ])
    func system(name: String, isKnown: Bool) throws {
        #expect(contains(name, in: try ZoneNames()) == isKnown)
    }

    @Test("the system's database says its release")
    func systemRelease() throws {
        let zones = try ZoneNames()
        #expect(zones.count > 400)
        let release = try #require(zones.release)
        #expect(release.wholeMatch(of: /20\d\d[a-z]*/) != nil)
    }

    @Test("names given are known, once each, in any order")
    func given() {
        let zones = ZoneNames(["b/c", "a", "b", "a", "b-c", "é"], release: "test")
        #expect(zones.count == 5)
        #expect(zones.release == "test")
        for name in ["a", "b", "b/c", "b-c", "é"] { #expect(contains(name, in: zones)) }
        for name in ["", "c", "b/", "b/cc", "\u{e9}\u{301}", "0"] { #expect(!contains(name, in: zones)) }
        #expect(!contains("a", in: ZoneNames([])))
        let checking: any ZoneChecking = zones
        #expect(Array("a".utf8).withUnsafeBytes { checking.contains($0) })
    }

    @Test("a zone is a file that starts with TZif, links followed, second copies left out")
    func files() throws {
        let folder = try Folder()
        try folder.write("TZif2", to: "Plain")
        try folder.write("TZif2", to: "Area/Sub/City")
        try folder.write("TZi", to: "Short")
        try folder.write("# no zone", to: "zone.tab")
        for copy in ["posix/Plain", "right/Plain", "localtime", "posixrules", "Area/posix"] {
            try folder.write("TZif2", to: copy)
        }
        folder.link("Linked", to: "Plain")
        folder.link("Dangling", to: "gone")
        folder.link("Area/Loop", to: ".")
        try folder.write("2031a\n", to: "+VERSION")

        let zones = try ZoneNames(directory: folder.path)
        for name in ["Plain", "Area/Sub/City", "Linked", "Area/posix"] { #expect(contains(name, in: zones)) }
        for name in ["Short", "zone.tab", "posix/Plain", "right/Plain", "localtime", "posixrules", "Dangling", "Area"] {
            #expect(!contains(name, in: zones))
        }
        #expect(zones.release == "2031a")
        try folder.write("# version 2031b\n# more\n", to: "tzdata.zi")
        #expect(try ZoneNames(directory: folder.path).release == "2031b")
    }

    @Test("a missing directory, or one without a zone, is an error that names it")
    func errors() throws {
        let folder = try Folder()
        #expect(throws: ZoneError.self) { try ZoneNames(directory: folder.path) }
        do throws(ZoneError) { _ = try ZoneNames(directory: folder.path) } catch {
            #expect(error.code == .noZones)
            #expect(error.path == folder.path)
        }
        do throws(ZoneError) { _ = try ZoneNames(directory: folder.path + "/none") } catch {
            #expect(error.code == .unreadable)
            #expect(error.errorNumber == ENOENT)
            #expect(error.description.contains("/none"))
        }
        #expect(throws: ZoneError.self) { try ZoneNames(directory: folder.path + "/none") }
    }
}
