import RationModel

/// How single values are read.
extension PolicyDecoding {
    typealias Reading<Value> = (inout PolicyDecoding, YAMLNode, String) -> Value?

    mutating func read<Value>(
        _ entry: YAMLEntry?, into target: inout Value, under path: String? = nil, _ reading: Reading<Value>
    ) {
        guard let entry, let value = reading(&self, entry.value, DottedPath.joined(path ?? base, entry.key)) else {
            return
        }
        target = value
    }

    mutating func read<Value>(
        _ entry: YAMLEntry?, into target: inout Value?, under path: String? = nil, _ reading: Reading<Value>
    ) {
        guard let entry else { return }
        target = reading(&self, entry.value, DottedPath.joined(path ?? base, entry.key))
    }

    static func wholeNumber(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> Int? {
        reader.decoding.wholeNumber(node, at: path)
    }

    static func truth(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> Bool? {
        reader.decoding.truth(node, at: path)
    }

    static func duration(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> Int64? {
        reader.text(node, at: path, expected: "a duration such as 500ms, 90s, 5m, 1h or 7d") {
            WrittenDuration.milliseconds($0)
        }
    }

    static func order(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> String? {
        reader.decoding.text(node, at: path, expected: "one of \(reader.orders.joined(separator: ", "))")
    }

    static func word<Word: RawRepresentable & CaseIterable>(
        _ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String
    ) -> Word? where Word.RawValue == String {
        let expected = Word.allCases.map(\.rawValue).joined(separator: " or ")
        return reader.text(node, at: path, expected: expected) { Word(rawValue: $0) }
    }

    static func time(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> Int? {
        reader.text(node, at: path, expected: "a time such as 07:30") { TimeOfDay.minutes($0) }
    }

    static func share(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> SlotShare? {
        if case .scalar(let scalar) = node.value, scalar.kind == .wholeNumber, let count = Int(scalar.text) {
            return .slots(count)
        }
        return reader.text(node, at: path, expected: "a whole number or a percentage such as '10%'") {
            SlotShare(percentage: $0)
        }
    }

    static func timeZone(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> String? {
        let zones = reader.zones
        return reader.text(node, at: path, expected: "a time zone of the tz database such as Europe/Madrid") { text in
            var text = text
            return text.withUTF8 { zones.contains(UnsafeRawBufferPointer($0)) } ? text : nil
        }
    }

    /// A text that stands for a value.
    mutating func text<Value>(
        _ node: YAMLNode, at path: String, expected: String, _ value: (String) -> Value?
    ) -> Value? {
        decoding.text(node, at: path, expected: expected, value)
    }
}
