internal import RationJSON

/// A JSON object that is written member by member, for answers that are not on a hot path.
public struct ObjectText {
    private var writer = JSONWriter()
    private var separator = UInt8(ascii: "{")

    /// The bytes of an object.
    public static func bytes(_ body: (inout ObjectText) -> Void) -> [UInt8] {
        var object = ObjectText()
        body(&object)
        object.end()
        return object.writer.bytes
    }

    private mutating func name(_ name: StaticString) {
        writer.byte(separator)
        separator = UInt8(ascii: ",")
        writer.key(name)
    }

    private mutating func end() {
        if separator == UInt8(ascii: "{") { writer.byte(separator) }
        writer.byte(UInt8(ascii: "}"))
    }

    public mutating func text(_ name: StaticString, _ text: String) {
        value(name) { $0.string(text) }
    }

    /// Texts without the empty ones.
    public mutating func texts(_ members: (StaticString, String)...) {
        for (name, text) in members where !text.isEmpty { self.text(name, text) }
    }

    public mutating func integers(_ members: (StaticString, Int)...) {
        for (name, number) in members { value(name) { $0.integer(Int64(number)) } }
    }

    public mutating func bool(_ name: StaticString, _ truth: Bool) {
        value(name) { $0.bool(truth) }
    }

    private mutating func value(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        write(&writer)
    }

    public mutating func object(_ name: StaticString, _ body: (inout ObjectText) -> Void) {
        self.name(name)
        inner(body)
    }

    public mutating func list(_ name: StaticString, _ texts: [String]) {
        value(name) { writer in
            writer.byte(UInt8(ascii: "["))
            for (index, text) in texts.enumerated() {
                if index > 0 { writer.byte(UInt8(ascii: ",")) }
                writer.string(text)
            }
            writer.byte(UInt8(ascii: "]"))
        }
    }

    /// A list of objects.
    public mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ body: (Element, inout ObjectText) -> Void
    ) {
        self.name(name)
        writer.byte(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            inner { body(element, &$0) }
        }
        writer.byte(UInt8(ascii: "]"))
    }

    private mutating func inner(_ body: (inout ObjectText) -> Void) {
        separator = UInt8(ascii: "{")
        body(&self)
        end()
        separator = UInt8(ascii: ",")
    }
}
