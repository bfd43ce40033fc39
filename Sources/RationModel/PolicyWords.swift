/// The words of policies and of a device's quiet hours, compared byte for byte.

extension WeekdaySet {
    /// - Parameter name: one of `names`; any other gives nil.
    public init?(name: String) {
        guard let day = Self.names.firstIndex(where: { name.isWord($0) }) else { return nil }
        self.init(rawValue: 1 << UInt8(truncatingIfNeeded: day))
    }
}

extension InterruptionLevel {
    /// - Parameter name: the word on the wire; any other gives nil.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { name.isWord($0.name) }) else { return nil }
        self = level
    }
}

extension SlotShare {
    /// Reads a percentage, `10%`.
    /// - Returns: nil for any other text; whether it is from 0 to 100 is the policy's to check.
    public init?(percentage text: String) {
        let digits = text.utf8.dropLast()
        guard text.utf8.last == UInt8(ascii: "%"), let first = digits.first,
            digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), first != UInt8(ascii: "0") || digits.count == 1,
            let percent = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        self = .percent(percent)
    }

    /// As a policy writes it.
    public var text: String {
        switch self {
        case .slots(let count): "\(count)"
        case .percent(let percent): "\(percent)%"
        }
    }
}

extension String {
    fileprivate func isWord(_ word: StaticString) -> Bool {
        utf8.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}
