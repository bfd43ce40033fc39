/// Something under each of two policies.
public struct Pair<Value> {
    public var a: Value
    public var b: Value

    public init(a: Value, b: Value) {
        self.a = a
        self.b = b
    }

    subscript(side: Side) -> Value {
        get { side == .a ? a : b }
        set { if side == .a { a = newValue } else { b = newValue } }
    }
}

extension Pair: Equatable where Value: Equatable {}
extension Pair: Hashable where Value: Hashable {}
extension Pair: Sendable where Value: Sendable {}

/// One of two policies.
enum Side: CaseIterable {
    case a, b

    var other: Side { self == .a ? .b : .a }
}
