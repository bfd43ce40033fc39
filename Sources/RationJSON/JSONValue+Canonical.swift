internal import CSimdJSON
internal import Glibc

extension JSONValue {
    /// Writes the value so that equal values have equal bytes, in the spirit of RFC 8785.
    ///
    /// Members are sorted by the UTF-8 of their keys; no spaces; numbers as `JSONWriter.number` and `JSONWriter.integer`
    /// write them, so that `1`, `1.0` and `1e0` are the same; strings with the fewest escapes.
    ///
    /// - Complexity: n log n in the members of one object, without allocating for objects of fewer than 32 members.
    public func canonical(into writer: inout JSONWriter) {
        switch kind {
        case .null: writer.null()
        case .bool: writer.bool(node.pointee.value.boolean)
        case .integer: writer.integer(node.pointee.value.integer)
        case .double: writer.number(node.pointee.value.number)
        case .string: if let string { writer.string(string) }
        case .array: canonicalArray(into: &writer)
        case .object: canonicalObject(into: &writer)
        }
    }

    private func canonicalArray(into writer: inout JSONWriter) {
        var separator = UInt8(ascii: "[")
        for element in children {
            writer.byte(separator)
            element.canonical(into: &writer)
            separator = UInt8(ascii: ",")
        }
        if count == 0 { writer.byte(separator) }
        writer.byte(UInt8(ascii: "]"))
    }

    private func canonicalObject(into writer: inout JSONWriter) {
        withUnsafeTemporaryAllocation(of: SortedMember.self, capacity: count) { members in
            var members = members
            var place = 0
            for member in children {
                // `count` is the number of children; a view is trivial and needs no deinitialization.
                members.initializeElement(at: place, to: SortedMember(member))
                place += 1
            }
            members.sort(by: SortedMember.precedes)
            var separator = UInt8(ascii: "{")
            for member in members {
                writer.byte(separator)
                writer.string(member.value.key)
                writer.byte(UInt8(ascii: ":"))
                member.value.canonical(into: &writer)
                separator = UInt8(ascii: ",")
            }
            if members.isEmpty { writer.byte(separator) }
            writer.byte(UInt8(ascii: "}"))
        }
    }
}

/// A member of an object on its way to its place among the others.
private struct SortedMember {
    let value: JSONValue

    /// The first 8 bytes of the key as a number that sorts as they do; a shorter key is filled up with zeros.
    let beginning: UInt64

    init(_ value: JSONValue) {
        self.value = value
        var beginning: UInt64 = 0
        if let start = value.key.baseAddress {
            // At most 8 bytes, and no more than the key has.
            memcpy(&beginning, start, min(8, value.key.count))
        }
        self.beginning = beginning.bigEndian
    }

    static func precedes(_ one: SortedMember, _ other: SortedMember) -> Bool {
        if one.beginning != other.beginning { return one.beginning < other.beginning }
        let first = one.value.key
        let second = other.value.key
        guard let start = first.baseAddress, let otherStart = second.baseAddress else { return false }
        // Both keys have at least as many bytes as the shorter one.
        let order = memcmp(start, otherStart, min(first.count, second.count))
        return order != 0 ? order < 0 : first.count < second.count
    }
}
