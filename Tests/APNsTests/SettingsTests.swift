import APNsSubscriber
import Foundation
import RationModel
import RationSubscribing
import TestProcesses
import Testing

@Suite("Settings and keys of the subscriber")
struct SettingsTests {
    private func key(_ changes: [String: SettingValue?] = [:]) -> Setting {
        var members: [(String, SettingValue)] = [
            ("file", .text("/k.p8")), ("id", .text("ABC123DEFG")), ("team", .text("TEAM123456")),
            ("apps", .list([.text("com.example.a")])),
        ]
        for (name, value) in changes {
            members.removeAll { $0.0 == name }
            if let value { members.append((name, value)) }
        }
        return Setting("main", .mapping(members.map { Setting($0.0, $0.1) }))
    }

    private func faults(_ settings: [Setting]) -> [String] {
        do {
            _ = try APNsSettings(settings)
            return []
        } catch {
            return error.faults.map(\.path)
        }
    }

    @Test("What is given, and Apple's addresses for what is not")
    func taken() throws {
        let settings = try APNsSettings([Setting("keys", .mapping([key()])), Setting("streams", .wholeNumber(7))])
        #expect(settings.production == "https://api.push.apple.com" && settings.streams == 7)
        #expect(settings.key(ofApp: "com.example.a") == 0 && settings.key(ofApp: "com.example.A") == nil)
        #expect(settings.origin(isSandbox: true) == "https://api.sandbox.push.apple.com")
    }

    @Test("What is refused, with its path")
    func refused() {
        func keys(_ changes: [String: SettingValue?]) -> [Setting] { [Setting("keys", .mapping([key(changes)]))] }
        #expect(faults([]) == ["keys"])
        #expect(faults(keys(["file": .text("k.p8")])) == ["keys.main.file"])
        #expect(faults(keys(["file": .none])) == ["keys.main.file"])
        #expect(faults(keys(["id": .text("abc123defg")])) == ["keys.main.id"])
        #expect(faults(keys(["team": .text("TEAM12345")])) == ["keys.main.team"])
        #expect(faults(keys(["apps": .list([])])) == ["keys.main.apps"])
        #expect(faults(keys(["apps": .list([.text("a b")])])) == ["keys.main.apps"])
        #expect(faults(keys(["more": .text("x")])) == ["keys.main.more"])
        let twice = Setting("other", key().value)
        #expect(faults([Setting("keys", .mapping([key(), twice]))]) == ["keys.other.apps"])
        let good = Setting("keys", .mapping([key()]))
        for origin in ["http://a", "https://", "https://a/b", "https://u@a", "a"] {
            #expect(faults([good, Setting("production", .text(origin))]) == ["production"], "\(origin)")
        }
        #expect(faults([good, Setting("streams", .wholeNumber(0))]) == ["streams"])
        #expect(faults([good, Setting("answer", .text("61s"))]) == ["answer"])
    }

    @Test(
        "A key's file is its owner's alone, and no part of it is in a message",
        arguments: [0o600, 0o400, 0o640, 0o604, 0o644])
    func permissions(mode: Int) throws {
        let credentials = try Credentials()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: credentials.keyFile)
        if mode & 0o077 == 0 {
            _ = try KeyFile.read(credentials.keyFile)
            return
        }
        let error = #expect(throws: PrivateFileError.self) { try KeyFile.read(credentials.keyFile) }
        #expect(error?.message.contains("found mode 0\(String(mode, radix: 8))") == true)
        let lines = try String(contentsOfFile: credentials.keyFile, encoding: .utf8).split(separator: "\n")
        for line in lines { #expect(error.map { "\($0)".contains(line) } == false) }
    }

    @Test("What is no file of a key is refused: a folder, nothing, another curve")
    func noKey() throws {
        let credentials = try Credentials()
        #expect(throws: PrivateFileError.self) { try KeyFile.read("/no/such/file") }
        #expect(throws: PrivateFileError.self) { try KeyFile.read(credentials.folder) }
        let other = credentials.path("other.p8")
        try credentials.openssl(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp384r1", "-out", other)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        let error = #expect(throws: PrivateFileError.self) { try KeyFile.read(other) }
        #expect(error?.message == "expected a key on the curve P-256, found another kind of key")
    }
}
