internal import RationJSON

/// Writes the members of one object: brackets, names and commas. Absent values are left out.
struct MemberWriter {
    /// What stands before the next member.
    private var separator = UInt8(ascii: "{")

    @inline(__always)
    private mutating func separate(_ writer: inout JSONWriter) {
        writer.byte(separator)
        separator = UInt8(ascii: ",")
    }

    /// A name that needs no escapes.
    mutating func name(_ name: StaticString, to writer: inout JSONWriter) {
        separate(&writer)
        writer.key(name)
    }

    mutating func name(_ name: UnsafeRawBufferPointer, to writer: inout JSONWriter) {
        separate(&writer)
        writer.string(name)
        writer.byte(UInt8(ascii: ":"))
    }

    mutating func text(_ name: StaticString, _ text: UnsafeRawBufferPointer?, to writer: inout JSONWriter) {
        guard let text else { return }
        writer.member(separator, name, text)
        separator = UInt8(ascii: ",")
    }

    mutating func text(_ name: StaticString, _ text: String, to writer: inout JSONWriter) {
        self.name(name, to: &writer)
        writer.string(text)
    }

    mutating func integer(_ name: StaticString, _ value: Int64, to writer: inout JSONWriter) {
        self.name(name, to: &writer)
        writer.integer(value)
    }

    mutating func value(_ name: StaticString, _ value: JSONValue?, to writer: inout JSONWriter) {
        guard let value else { return }
        if let string = value.string { return text(name, string, to: &writer) }
        self.name(name, to: &writer)
        value.canonical(into: &writer)
    }

    /// A list, of which `write` writes each element.
    mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], to writer: inout JSONWriter,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        self.name(name, to: &writer)
        writer.byte(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            write(element, &writer)
        }
        writer.byte(UInt8(ascii: "]"))
    }

    func end(_ writer: inout JSONWriter) {
        if separator == UInt8(ascii: "{") { writer.byte(separator) }
        writer.byte(UInt8(ascii: "}"))
    }
}
