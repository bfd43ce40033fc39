internal import RationModel

/// The answers that a publisher got with one batch, as a row.
enum AnswersRow {
    static func bytes(_ answers: ArraySlice<StoredAnswer>) -> [UInt8] {
        var writer = FieldWriter()
        for answer in answers {
            writer.number(answer.number)
            writer.number(answer.bodyHash)
            writer.number(answer.isRefusal ? 1 : 0 as UInt64)
            writer.field(answer.body)
        }
        return writer.bytes
    }

    /// A row without the texts of its answers.
    /// - Parameters:
    ///   - key: of `StoreFamily.answers`.
    ///   - erased: what an answer becomes; nil for one that stays.
    /// - Returns: nil when all stay; else how many do not.
    static func erased(
        _ bytes: [UInt8], key: UnsafeRawBufferPointer, _ erased: (StoredAnswer) -> [UInt8]?
    ) -> (bytes: [UInt8], count: Int)? {
        guard let length = key.first, key.count == 1 + Int(length) + 8,
            let publisher = PublisherName(UnsafeRawBufferPointer(rebasing: key[1..<1 + Int(length)])),
            var answers = bytes.withUnsafeBytes({ answers($0, of: publisher) })
        else { return nil }
        var count = 0
        for place in answers.indices {
            guard let body = erased(answers[place]) else { continue }
            answers[place].body = body
            count += 1
        }
        return count == 0 ? nil : (Self.bytes(answers[...]), count)
    }

    /// - Returns: nil for bytes that are none.
    static func answers(_ bytes: UnsafeRawBufferPointer, of publisher: PublisherName) -> [StoredAnswer]? {
        var reader = FieldReader(bytes)
        var answers: [StoredAnswer] = []
        while !reader.isAtEnd {
            guard let number = reader.number(), let hash = reader.number(), let isRefusal = reader.number(),
                let body = reader.field()
            else { return nil }
            answers.append(
                StoredAnswer(
                    publisher: publisher, number: number, bodyHash: hash, isRefusal: isRefusal != 0, body: body))
        }
        return answers
    }
}

extension Forgetting {
    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.number(batch)
        writer.number(lastSequence)
        writer.field(key)
        return writer.bytes
    }

    /// - Returns: nil for bytes that are none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = FieldReader(bytes)
        guard let batch = reader.number(), let lastSequence = reader.number(), let key = reader.field(), reader.isAtEnd
        else { return nil }
        self.init(key: key, batch: batch, lastSequence: lastSequence)
    }
}

extension StoredRevision {
    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.number(number)
        writer.number(at.milliseconds)
        writer.number(sequence)
        writer.number(batch)
        writer.field(Array(source.utf8))
        writer.field(document)
        return writer.bytes
    }

    /// - Returns: nil for bytes that are none.
    init?(_ bytes: UnsafeRawBufferPointer, kind: Kind) {
        var reader = FieldReader(bytes)
        guard let number = reader.number(), let at = reader.signedNumber(), let sequence = reader.number(),
            let batch = reader.number(), let source = reader.field(), let document = reader.field(), reader.isAtEnd
        else { return nil }
        self.init(
            kind: kind, number: number, at: Instant(milliseconds: at), sequence: sequence, batch: batch,
            source: String(decoding: source, as: UTF8.self), document: document)
    }
}
