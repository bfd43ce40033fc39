/// What is known about one event log beyond its counts: its sums, and the names that it has brought.
struct LogState {
    /// The log's number in the tables.
    let number: Int64
    let name: String
    var sums = Sums()
    var types = NameTable()
    var apps = NameTable()

    /// Sums over all recipients, and over all events.
    struct Sums: Hashable {
        /// Notifications that hold a slot, that wait for one.
        var held: Int64 = 0
        var queued: Int64 = 0
        /// Recipients with something pending, with something queued.
        var recipients: Int64 = 0
        var over: Int64 = 0
        var events: Int64 = 0
        /// When the first and the last event were decided; 0 before the first.
        var firstTime: Int64 = 0
        var lastTime: Int64 = 0
    }

    init(number: Int64, name: String) {
        (self.number, self.name) = (number, name)
    }
}

/// Names by their numbers, from 1 on; 0 stands for all that came when there were too many.
struct NameTable {
    private var numbers: [ByteName: Int64] = [:]
    private var lastFound: (name: ByteName, number: Int64)?
    /// Names that the file does not have yet, in the order of their numbers.
    private(set) var new: [(number: Int64, text: String)] = []

    static let other: Int64 = 0

    mutating func load(_ text: String, _ number: Int64) {
        numbers[ByteName(text)] = number
    }

    /// - Parameter most: how many names are told apart.
    mutating func number(_ text: String, most: Int) -> Int64 {
        let name = ByteName(text)
        if let lastFound, lastFound.name == name { return lastFound.number }
        var number = numbers[name] ?? Self.other
        if number == Self.other, numbers.count < most {
            number = Int64(numbers.count) + 1
            numbers[name] = number
            new.append((number, text))
        }
        lastFound = (name, number)
        return number
    }

    mutating func forgetNew() {
        new = []
    }
}
