import Glibc
import RationBus
import RationSQLite
import Testing

/// A path of a file that does not exist yet, in a folder that is removed.
private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
        let file = folder + "/outbox"
        defer {
            unlink(file)
            unlink(file + "-journal")
        }
        try body(file)
    }
}

private func write(_ text: String, to file: String) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
}

@Suite("The outbox in a file")
struct SQLiteOutboxTests {
    @Test("keeps number, bytes, log and name when it is opened again")
    func keeps() throws {
        try withFile { file in
            do {
                let outbox = try SQLiteOutbox(file: file, publisher: nil, newPublisher: "publish-1")
                #expect(outbox.publisher == "publish-1")
                #expect(outbox.nextNumber == 1)
                try outbox.agree(on: "log-1", renumberingFrom: nil)
                for number in 1...3 { try outbox.store(number: UInt64(number), body: bytes("body \(number)\u{0}")) }
                try outbox.store(number: 4, body: [])
                try outbox.remove(through: 2)
            }
            let outbox = try SQLiteOutbox(file: file, publisher: nil, newPublisher: "publish-2")
            #expect(outbox.publisher == "publish-1")
            #expect(outbox.log == "log-1")
            #expect(outbox.nextNumber == 5)
            #expect(
                try outbox.unacknowledged() == [
                    OutboxEntry(number: 3, body: bytes("body 3\u{0}")), OutboxEntry(number: 4, body: []),
                ])
        }
    }

    @Test("an empty outbox keeps its next number")
    func keepsNumber() throws {
        try withFile { file in
            do {
                let outbox = try SQLiteOutbox(file: file, publisher: "habits", newPublisher: "")
                try outbox.store(number: 1, body: bytes("x"))
                try outbox.remove(through: 1)
            }
            let outbox = try SQLiteOutbox(file: file, publisher: "habits", newPublisher: "")
            #expect(outbox.nextNumber == 2)
            #expect(try outbox.unacknowledged().isEmpty)
        }
    }

    @Test("gives new numbers in order, up and down", arguments: [1, 2, 3, 4, 40])
    func renumbers(first: UInt64) throws {
        try withFile { file in
            let outbox = try SQLiteOutbox(file: file, publisher: "habits", newPublisher: "")
            for number in 1...4 { try outbox.store(number: UInt64(number), body: bytes("\(number)")) }
            try outbox.remove(through: 1)
            try outbox.agree(on: "log-2", renumberingFrom: first)
            let entries = try outbox.unacknowledged()
            #expect(entries.map(\.number) == [first, first + 1, first + 2])
            #expect(entries.map(\.body) == ["2", "3", "4"].map(bytes))
            #expect(outbox.nextNumber == first + 3)
        }
    }

    @Test("a second user is refused with the file's name")
    func locked() throws {
        try withFile { file in
            let outbox = try SQLiteOutbox(file: file, publisher: "habits", newPublisher: "")
            let error = #expect(throws: SQLiteError.self) {
                _ = try SQLiteOutbox(file: file, publisher: "habits", newPublisher: "")
            }
            #expect(error?.code == .locked)
            #expect(error?.file == file)
            #expect(outbox.publisher == "habits")
        }
    }

    @Test("a file of another publisher, of another kind, of a later version, and no file are refused")
    func refused() throws {
        try withFile { file in
            _ = try SQLiteOutbox(file: file, publisher: "habits", newPublisher: "")
            let other = #expect(throws: SQLiteError.self) {
                _ = try SQLiteOutbox(file: file, publisher: "visits", newPublisher: "")
            }
            #expect(other?.code == .owner)
            unlink(file)
            write(String(repeating: "no database\n", count: 100), to: file)
            let foreign = #expect(throws: SQLiteError.self) {
                _ = try SQLiteOutbox(file: file, publisher: "visits", newPublisher: "")
            }
            #expect(foreign?.code == .foreign)
            let missing = #expect(throws: SQLiteError.self) {
                _ = try SQLiteOutbox(file: file + "/none", publisher: "visits", newPublisher: "")
            }
            #expect(missing?.description.hasPrefix(file + "/none: ") == true)
        }
        try withFile { file in
            let name = String(repeating: "x", count: 65)
            let error = #expect(throws: SQLiteError.self) {
                _ = try SQLiteOutbox(file: file, publisher: name, newPublisher: "")
            }
            #expect(error?.code == .owner)
        }
    }
}
