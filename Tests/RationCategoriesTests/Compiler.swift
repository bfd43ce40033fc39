import Foundation
import TestProcesses
import Testing

/// Runs Swift's own compiler on generated source, with the stub of UserNotifications as a module.
enum Compiler {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let folder: Result<URL, any Error> = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ration-categories-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let stub = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stub/UserNotifications.swift")
        try run([
            "-emit-module", "-emit-library", "-static", "-parse-as-library", "-swift-version", "6", "-module-name",
            "UserNotifications", "-emit-module-path", folder.appending(path: "UserNotifications.swiftmodule").path,
            "-o",
            folder.appending(path: "libUserNotifications.a").path, stub.path,
        ])
        return folder
    }

    /// Checks the types of a source, warnings as errors.
    /// - Throws: what the compiler says.
    static func check(_ source: String) throws {
        let folder = try folder.get()
        let file = folder.appending(path: "\(UUID().uuidString).swift")
        try Data(source.utf8).write(to: file)
        try run([
            "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-I", folder.path,
            file.path,
        ])
    }

    /// Compiles a source with a main program and runs it.
    /// - Returns: what it prints.
    static func output(of source: String, main: String) throws -> String {
        let folder = try folder.get().appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = [("DeclaredCategories.swift", source), ("main.swift", main)].map { name, text in
            (file: folder.appending(path: name), text: text)
        }
        for (file, text) in files { try Data(text.utf8).write(to: file) }
        let program = folder.appending(path: "program")
        let modules = folder.deletingLastPathComponent()
        try run(
            ["-swift-version", "6", "-I", modules.path, "-o", program.path] + files.map(\.file.path)
                + ["-L", modules.path, "-lUserNotifications"])
        return try run([], program: program.path)
    }

    @discardableResult private static func run(_ arguments: [String], program: String? = nil) throws -> String {
        let process = try ChildProcess(program ?? "swiftc", arguments)
        guard try process.wait(milliseconds: 180_000) == .status(0) else {
            throw Failure(description: process.outputText + process.errorText)
        }
        return process.outputText
    }
}
