/// A rule that was broken.
struct Breach: Error, CustomStringConvertible {
    var rule: String

    init(_ rule: String) {
        self.rule = rule
    }

    var description: String { rule }
}
