/// A frequency cap (section 3).
struct ModelCap {
    var limit: Int
    /// Milliseconds.
    var per: Int64
    var types: [Text]?
    var drops: Bool
    var exempt: [Text]

    init(_ value: Value) {
        limit = Int(value["limit"]?.integer ?? 1)
        per = ModelPolicy.duration(value["per"]) ?? 1
        types = value["types"]?.elements?.compactMap(\.text)
        drops = value["overflow"]?.text == "drop"
        exempt = value["exempt"]?.elements?.compactMap(\.text) ?? ["critical"]
    }

    func counts(_ type: Text) -> Bool {
        types?.contains(type) ?? true
    }

    func binds(_ notification: ModelNotification) -> Bool {
        counts(notification.wish.type) && !exempt.contains(notification.wish.level)
    }

    /// Whether some stretch shorter than `per` that contains the instant would hold more than `limit`, with one there.
    func isBroken(at instant: Int64, beside dates: [ModelDate]) -> Bool {
        let others = dates.filter { counts($0.type) }.map(\.instant)
        let starts = others.filter { $0 <= instant && instant - $0 < per } + [instant]
        return starts.contains { start in
            others.count { $0 >= start && $0 - start < per } + 1 > limit
        }
    }
}

/// What counts for caps: a pending notification at its fire date, a fired one at the instant of its `due`.
struct ModelDate {
    var instant: Int64
    var type: Text
}

/// A quota (section 3): slots that a type is guaranteed, and those that it may have at most.
struct ModelQuota {
    /// nil: `*`, all types that no other quota names.
    var type: Text?
    private var minimum: Value?
    private var maximum: Value?

    init(type: Text, _ value: Value) {
        self.type = type == "*" ? nil : type
        minimum = value["min"]
        maximum = value["max"]
    }

    /// "A `min` counts no further than its `max`."
    func minimum(of slots: Int) -> Int {
        min(Self.count(minimum, of: slots) ?? 0, maximum(of: slots))
    }

    func maximum(of slots: Int) -> Int {
        Self.count(maximum, of: slots) ?? .max
    }

    /// "A percentage is of these slots, rounded down."
    private static func count(_ value: Value?, of slots: Int) -> Int? {
        if let number = value?.integer { return Int(number) }
        guard let text = value?.text?.description, let percent = Int(text.dropLast()) else { return nil }
        return slots * percent / 100
    }
}
