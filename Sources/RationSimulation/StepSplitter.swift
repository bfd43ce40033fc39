/// Cuts a step's line into its intents' texts and the rest, so that an intent that breaks a rule of JSON (a key twice,
/// a lone surrogate, a number out of range) is rejected by itself, as on the wire. It finds brackets and strings and
/// judges nothing: whether the texts are JSON is the parser's business.
struct StepSplitter {
    private let line: UnsafeRawBufferPointer
    private var position = 0

    init(_ line: UnsafeRawBufferPointer) {
        self.line = line
    }

    /// - Returns: the texts of the elements of the member `intents`, and the line with an empty list in their place.
    mutating func split() -> (intents: [UnsafeRawBufferPointer], rest: [UInt8]) {
        guard let list = listOfIntents() else { return ([], Array(line)) }
        var rest = Array(line[..<(list.lowerBound + 1)])
        rest.append(contentsOf: line[list.upperBound...])
        return (elements(in: list.lowerBound + 1..<list.upperBound), rest)
    }

    /// From the `[` of the member `intents` to its `]`, both places included as bounds.
    private mutating func listOfIntents() -> Range<Int>? {
        var depth = 0
        var lastString = 0..<0
        while position < line.count {
            switch line[position] {
            case UInt8(ascii: "\""):
                let start = position
                skipString()
                if depth == 1 { lastString = start..<position }
                continue
            case UInt8(ascii: "["):
                if depth == 1, line[lastString].elementsEqual(#""intents""#.utf8) {
                    let start = position
                    skipContainer()
                    return start..<position - 1
                }
                depth += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            position += 1
        }
        return nil
    }

    private func elements(in range: Range<Int>) -> [UnsafeRawBufferPointer] {
        var elements: [UnsafeRawBufferPointer] = []
        var walker = self
        walker.position = range.lowerBound
        var start = range.lowerBound
        func isBlank(_ range: Range<Int>) -> Bool {
            line[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
        }
        while walker.position < range.upperBound {
            switch line[walker.position] {
            case UInt8(ascii: "\""): walker.skipString()
            case UInt8(ascii: "["), UInt8(ascii: "{"): walker.skipContainer()
            case UInt8(ascii: ","):
                elements.append(UnsafeRawBufferPointer(rebasing: line[start..<walker.position]))
                walker.position += 1
                start = walker.position
            default: walker.position += 1
            }
        }
        if !isBlank(start..<range.upperBound) {
            elements.append(UnsafeRawBufferPointer(rebasing: line[start..<range.upperBound]))
        }
        return elements
    }

    /// Moves behind a string that starts here.
    private mutating func skipString() {
        position += 1
        while position < line.count, line[position] != UInt8(ascii: "\"") {
            position += line[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, line.count)
    }

    /// Moves behind an array or object that starts here.
    private mutating func skipContainer() {
        var depth = 0
        repeat {
            switch line[position] {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            position += 1
        } while depth > 0 && position < line.count
    }
}
