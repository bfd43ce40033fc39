internal import RationModel

/// Forgetting a recipient in the log (wire.md, "Forgetting a device").
extension EventRow {
    /// Overwrites what a row holds of a recipient with as many bytes: its device, ids, actions and types that no policy names with
    /// `*`, contents with an empty object. Sequence numbers, kinds, apps and dates stay, and of feedback why it failed and how much
    /// was typed.
    /// - Returns: how many events named it.
    public static func erase(app: [UInt8], device: [UInt8], in row: inout [UInt8]) -> Int {
        let found = row.withUnsafeBytes { texts(of: app, device, in: $0) }
        for range in found.names {
            row.replaceSubrange(range, with: repeatElement(UInt8(ascii: "*"), count: range.count))
        }
        for range in found.contents where range.count >= 2 {
            row.replaceSubrange(range, with: repeatElement(UInt8(ascii: " "), count: range.count))
            (row[range.lowerBound], row[range.lowerBound + 1]) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        }
        return found.events
    }

    /// Where the texts stand.
    private struct Texts {
        var events = 0
        var names: [Range<Int>] = []
        var contents: [Range<Int>] = []
    }

    private static func texts(of app: [UInt8], _ device: [UInt8], in row: UnsafeRawBufferPointer) -> Texts {
        var texts = Texts()
        var reader = Reader(row)
        while let entry = reader.next() {
            guard entry.device.elementsEqual(device), entry.app.elementsEqual(app) else { continue }
            texts.events += 1
            var names = [entry.device, entry.id, entry.action]
            if !entry.isTypeNamed { names.append(entry.type) }
            texts.names += names.compactMap { place(of: $0, in: row) }
            if let content = place(of: entry.content, in: row) { texts.contents.append(content) }
        }
        return texts
    }

    /// - Returns: nil for an empty text.
    private static func place(of text: UnsafeRawBufferPointer, in row: UnsafeRawBufferPointer) -> Range<Int>? {
        guard !text.isEmpty, let start = text.baseAddress, let begin = row.baseAddress else { return nil }
        return start - begin..<start - begin + text.count
    }
}
