import TestSupport

/// A JSON value to write in many ways.
indirect enum Tree {
    case scalar(String)
    case array([Tree])
    case object([(key: String, value: Tree)])

    static func random(depth: Int, using generator: inout SplitMix64) -> Tree {
        let scalars = [
            "null", "true", "false", "0", "-7", "1.5", "2.5e-300", "9007199254740993", #""""#, #""a\"b""#, #""é\n""#,
            #""😀 longer than eight bytes""#,
        ]
        let count = Int.random(in: 0...20, using: &generator)
        switch depth == 0 ? 0 : Int.random(in: 0...3, using: &generator) {
        case 2: return .array((0..<count / 4).map { _ in random(depth: depth - 1, using: &generator) })
        case 3:
            return .object(
                (0..<count).map { ("k\($0 * 7919 % 1000)", random(depth: depth - 1, using: &generator)) })
        default: return .scalar(scalars.randomElement(using: &generator) ?? "null")
        }
    }

    /// The text, with members in a random order and random white space.
    func text(using generator: inout SplitMix64) -> String {
        let space = ["", " ", "\n", "\t  "].randomElement(using: &generator) ?? ""
        switch self {
        case .scalar(let text): return space + text + space
        case .array(let elements):
            return space + "[" + elements.map { $0.text(using: &generator) }.joined(separator: ",") + "]" + space
        case .object(let members):
            let texts = members.shuffled(using: &generator).map {
                "\"\($0.key)\"\(space):\($0.value.text(using: &generator))"
            }
            return "{" + space + texts.joined(separator: space + "," + space) + "}" + space
        }
    }
}
