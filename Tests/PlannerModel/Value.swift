/// A JSON value as a scenario writes it: members keep their order and may come twice.
indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(Text)
    case array([Value])
    case object([Member])
    /// A number that JSON can spell and no double can hold.
    case outOfRange

    struct Member: Hashable, Sendable {
        var key: Text
        var value: Value
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) {
        self = .string(Text(text))
    }

    init(integerLiteral number: Int64) {
        self = .integer(number)
    }

    init(booleanLiteral truth: Bool) {
        self = .bool(truth)
    }

    init(arrayLiteral elements: Value...) {
        self = .array(elements)
    }

    init(dictionaryLiteral members: (Text, Value)...) {
        self = .object(members.map { Member(key: $0.0, value: $0.1) })
    }
}

extension Value {
    var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var elements: [Value]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var text: Text? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integer: Int64? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    /// Any number.
    var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The member of that name; `null` counts as absent.
    subscript(key: Text) -> Value? {
        get {
            guard case .object(let members) = self else { return nil }
            for member in members where member.key == key {
                if case .null = member.value { return nil }
                return member.value
            }
            return nil
        }
        set {
            guard var members else { return }
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// Whether some object in it has a key twice, or some number is out of range.
    var breaksJSON: Bool {
        switch self {
        case .outOfRange: true
        case .array(let elements): elements.contains(where: \.breaksJSON)
        case .object(let members):
            Set(members.map(\.key)).count < members.count || members.contains { $0.value.breaksJSON }
        default: false
        }
    }

    /// The same value whatever the order of its members was.
    var sorted: Value {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { Member(key: $0.key, value: $0.value.sorted) }.sorted { $0.key < $1.key })
        default: self
        }
    }
}
