/// A text with placeholders: `Two days of {name} are left`. `{{` and `}}` stand for braces.
public struct TextTemplate: Hashable, Sendable {
    private enum Piece: Hashable, Sendable {
        case text(String)
        /// The place of its name.
        case placeholder(Int)
    }

    private var pieces: [Piece] = []

    /// Why a text is no template.
    public struct Fault: Error, Hashable, Sendable {
        public var message: String
    }

    /// - Parameter names: of the placeholders that may stand in it.
    /// - Throws: for a placeholder of another name, or a brace without its other.
    public init(_ text: String, placeholders names: [String] = []) throws(Fault) {
        var literal: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}"), rest.first == byte {
                literal.append(byte)
                rest.removeFirst()
            } else if byte == UInt8(ascii: "{") {
                if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
                literal = []
                pieces.append(.placeholder(try Self.placeholder(&rest, names)))
            } else if byte == UInt8(ascii: "}") {
                throw Fault(message: "expected '{' before '}', or '}}' for a brace")
            } else {
                literal.append(byte)
            }
        }
        if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
    }

    /// The place of the placeholder's name, up to its brace.
    private static func placeholder(_ rest: inout Substring.UTF8View, _ names: [String]) throws(Fault) -> Int {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
            throw Fault(message: "expected '}' after '{', or '{{' for a brace")
        }
        let name = String(Substring(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        guard let place = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            let known = names.isEmpty ? "no placeholder" : names.map { "{\($0)}" }.joined(separator: ", ")
            throw Fault(message: "expected \(known), found '{\(name)}'")
        }
        return place
    }

    /// A text that stands in code: traps if it is no template.
    public init(standard text: String, placeholders names: [String] = []) {
        do {
            self = try TextTemplate(text, placeholders: names)
        } catch {
            preconditionFailure("'\(text)': \(error.message)")
        }
    }

    private init() {}

    /// No text.
    public static let empty = TextTemplate()

    /// Whether nothing stands in it.
    public var isEmpty: Bool { pieces.isEmpty }

    /// Whether a placeholder stands in it.
    public func contains(placeholder place: Int) -> Bool { pieces.contains(.placeholder(place)) }

    /// The text with its placeholders filled.
    /// - Parameter values: in the order of the placeholders' names.
    public func filled(_ values: [String]) -> String {
        if pieces.count == 1, case .text(let text) = pieces[0] { return text }
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let piece): text += piece
            case .placeholder(let place): text += values[place]
            }
        }
    }
}
