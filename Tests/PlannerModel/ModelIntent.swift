import RationModel

/// One intent of section 2, read from its JSON.
struct ModelIntent {
    enum Request {
        case schedule(ModelWish)
        case cancelID(Text)
        case cancelPrefix(Text)
        case cancelType(Text)
        case device([Value.Member], hours: ModelHours?)
        case remove
        case feedback
    }

    var recipient: ModelRecipientName
    var request: Request
}

struct ModelRecipientName: Hashable, Comparable {
    var app: Text
    var device: Text

    static func < (left: Self, right: Self) -> Bool {
        (left.app, left.device) < (right.app, right.device)
    }
}

/// What a `schedule` says of a notification, with its defaults resolved. Two that are equal change nothing.
struct ModelWish: Hashable {
    enum Trigger: Hashable {
        case at(Int64)
        case after(Double)
        case every(Double)
        case calendar(ModelCalendar)
        case empty
    }

    var id: Text
    var type: Text
    var content: Value
    var trigger: Trigger
    var expires: Int64?
    var delivers: Bool

    var isRepeating: Bool {
        switch trigger {
        case .every: true
        case .calendar(let calendar): calendar.repeats
        default: false
        }
    }

    /// A calendar trigger that is read on the recipient's own clock.
    var floating: ModelCalendar? {
        if case .calendar(let calendar) = trigger, calendar.zone == nil { return calendar }
        return nil
    }

    var level: Text { content["interruptionLevel"]?.text ?? "active" }

    /// The T of an `at`.
    var at: Int64? {
        if case .at(let date) = trigger { return date }
        return nil
    }
}

/// The quiet hours that a `device` sets.
enum ModelHours: Hashable {
    case policy
    case own([ModelWindow])
}

/// A code of section 6.
struct ModelRejection: Error {
    var code: Text

    init(_ code: Text) {
        self.code = code
    }
}
