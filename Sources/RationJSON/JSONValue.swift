public import CSimdJSON

/// A view of one value of a parsed text: one pointer, copied freely, valid until the parser's next parse.
///
/// Each accessor that names a kind is `nil` for a value of another kind.
public struct JSONValue {
    public enum Kind: Sendable, Hashable {
        case null, bool, integer, double, string, array, object
    }

    @usableFromInline let node: UnsafePointer<ration_json_node>

    @inlinable init(_ node: UnsafePointer<ration_json_node>) {
        self.node = node
    }

    @inlinable public var kind: Kind {
        switch node.pointee.kind {
        case RATION_JSON_BOOL: .bool
        case RATION_JSON_INTEGER: .integer
        case RATION_JSON_DOUBLE: .double
        case RATION_JSON_STRING: .string
        case RATION_JSON_ARRAY: .array
        case RATION_JSON_OBJECT: .object
        default: .null
        }
    }

    @inlinable public var isNull: Bool { node.pointee.kind == RATION_JSON_NULL }

    /// A string's unescaped UTF-8.
    @inlinable public var string: UnsafeRawBufferPointer? {
        guard node.pointee.kind == RATION_JSON_STRING else { return nil }
        return UnsafeRawBufferPointer(start: node.pointee.value.string, count: Int(node.pointee.length))
    }

    /// A number written without fraction and exponent. (`1.0` is a double.)
    @inlinable public var integer: Int64? {
        node.pointee.kind == RATION_JSON_INTEGER ? node.pointee.value.integer : nil
    }

    /// Any number, an integer rounded to the nearest double.
    @inlinable public var number: Double? {
        switch node.pointee.kind {
        case RATION_JSON_DOUBLE: node.pointee.value.number
        case RATION_JSON_INTEGER: Double(node.pointee.value.integer)
        default: nil
        }
    }

    @inlinable public var bool: Bool? {
        node.pointee.kind == RATION_JSON_BOOL ? node.pointee.value.boolean : nil
    }

    /// The unescaped UTF-8 of the key of a member of an object; empty for any other value.
    @inlinable public var key: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: node.pointee.key, count: Int(node.pointee.key_length))
    }

    /// The number of elements or members; 0 for a value that is no container.
    @inlinable public var count: Int {
        node.pointee.kind.rawValue >= RATION_JSON_ARRAY.rawValue ? Int(node.pointee.length) : 0
    }
}

extension JSONValue {
    /// The elements of an array or the members of an object in the order of the text; empty for any other value.
    @inlinable public var children: Children {
        Children(next: node + 1, end: node + Int(node.pointee.span))
    }

    public struct Children: Sequence, IteratorProtocol {
        @usableFromInline var node: UnsafePointer<ration_json_node>
        @usableFromInline let end: UnsafePointer<ration_json_node>

        @inlinable init(next node: UnsafePointer<ration_json_node>, end: UnsafePointer<ration_json_node>) {
            self.node = node
            self.end = end
        }

        @inlinable public mutating func next() -> JSONValue? {
            guard node != end else { return nil }
            let child = JSONValue(node)
            node += Int(node.pointee.span)
            return child
        }
    }
}

extension JSONValue {
    /// The member of an object with this name: for cold paths, since it looks through the members.
    public subscript(name: StaticString) -> JSONValue? {
        guard node.pointee.kind == RATION_JSON_OBJECT else { return nil }
        return children.first { equals($0.key, name) }
    }

    /// A string's text, copied: for cold paths.
    public var text: String? {
        string.map { String(decoding: $0, as: UTF8.self) }
    }
}
