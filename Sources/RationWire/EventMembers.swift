internal import RationJSON
internal import RationModel

/// The members of an event that wire.md names, found in one pass over each object.
struct EventMembers {
    var sequence: JSONValue?
    var time: JSONValue?
    var data: JSONValue?
    var kindName: JSONValue?
    var app: JSONValue?
    var device: JSONValue?
    var id: JSONValue?
    var type: JSONValue?
    var priority: JSONValue?
    var fireDate: JSONValue?
    var requestedDate: JSONValue?
    var cause: JSONValue?
    var reason: JSONValue?
    var final: JSONValue?
    var batch: JSONValue?
    var content: JSONValue?
    var delivery: JSONValue?
    var validUntil: JSONValue?
    var action: JSONValue?
    var textLength: JSONValue?

    /// The words of the wire by the numbers of their cases; empty for `none`.
    private static let kinds = EventKind.allCases.map(\.name)
    private static let causes = (0...UInt8.max).compactMap { EventCause(rawValue: $0)?.name }
    private static let reasons = (0...UInt8.max).compactMap { EventReason(rawValue: $0)?.name }

    /// Finds the envelope's members.
    mutating func find(in event: JSONValue) {
        for member in event.children {
            let key = member.key
            if equals(key, "sequence") {
                sequence = member
            } else if equals(key, "time") {
                time = member
            } else if equals(key, "data") {
                data = member
            }
        }
    }

    /// Finds the members of `data`, in the order in which the broker writes them.
    mutating func find(inData data: JSONValue) {
        for member in data.children {
            let key = member.key
            if equals(key, "kind") {
                kindName = member
            } else if equals(key, "app") {
                app = member
            } else if equals(key, "device") {
                device = member
            } else if equals(key, "id") {
                id = member
            } else if equals(key, "type") {
                type = member
            } else if equals(key, "priority") {
                priority = member
            } else if equals(key, "fireDate") {
                fireDate = member
            } else if equals(key, "requestedDate") {
                requestedDate = member
            } else {
                findWhy(member)
            }
        }
    }

    private mutating func findWhy(_ member: JSONValue) {
        let key = member.key
        if equals(key, "cause") {
            cause = member
        } else if equals(key, "reason") {
            reason = member
        } else if equals(key, "final") {
            final = member
        } else if equals(key, "batch") {
            batch = member
        } else if equals(key, "content") {
            content = member
        } else if equals(key, "delivery") {
            delivery = member
        } else if equals(key, "validUntil") {
            validUntil = member
        } else if equals(key, "action") {
            action = member
        } else if equals(key, "textLength") {
            textLength = member
        }
    }

    func text(_ member: JSONValue?, _ name: StaticString) throws(EventFault) -> String {
        guard let text = member?.text else { throw EventFault("expected a string as '\(name)'") }
        return text
    }

    func instant(_ member: JSONValue?, _ name: StaticString) throws(EventFault) -> Instant {
        guard let instant = member?.instant else { throw EventFault("expected \(WireDate.expected) as '\(name)'") }
        return instant
    }

    /// The sequence: 20 digits in a string.
    func number20() throws(EventFault) -> UInt64 {
        guard let digits = sequence?.string, digits.count == Frame.sequenceDigits,
            digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { throw EventFault("expected \(Frame.sequenceDigits) digits in a string as 'sequence'") }
        var number: UInt64 = 0
        for digit in digits {
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit - 0x30))
            guard !overflow, !carry else { throw EventFault("expected at most \(UInt64.max) as 'sequence'") }
            number = sum
        }
        return number
    }

    func priorityNumber() throws(EventFault) -> Int32 {
        guard let number = priority?.wholeNumber, let priority = Int32(exactly: number) else {
            throw EventFault("expected a whole number of 32 bits as 'data.priority'")
        }
        return priority
    }

    func batchNumber() throws(EventFault) -> UInt64 {
        guard let number = batch?.wholeNumber else { throw EventFault("expected a whole number as 'data.batch'") }
        // The broker writes a batch's number so, too.
        return UInt64(bitPattern: number)
    }

    func finalTruth() throws(EventFault) -> Bool? {
        guard let final else { return nil }
        guard let truth = final.bool else { throw EventFault("expected true or false as 'data.final'") }
        return truth
    }

    func kind() throws(EventFault) -> EventKind {
        let index = try Self.index(of: kindName, in: Self.kinds, "data.kind")
        return EventKind.allCases[index]
    }

    func causeWord() throws(EventFault) -> EventCause {
        guard cause != nil else { return .none }
        let index = try Self.index(of: cause, in: Self.causes, "data.cause")
        return EventCause(rawValue: UInt8(index)) ?? .none
    }

    func reasonWord() throws(EventFault) -> EventReason {
        guard reason != nil else { return .none }
        let index = try Self.index(of: reason, in: Self.reasons, "data.reason")
        return EventReason(rawValue: UInt8(index)) ?? .none
    }

    /// Of feedback; nil when it is absent.
    func textLengthNumber() throws(EventFault) -> Int32? {
        guard let textLength else { return nil }
        guard let number = textLength.wholeNumber, let length = Int32(exactly: number), length >= 0 else {
            throw EventFault("expected a whole number of 31 bits as 'data.textLength'")
        }
        return length
    }

    func deliveryWord() throws(EventFault) -> Delivery {
        let index = try Self.index(of: delivery, in: [Delivery.push.name, Delivery.local.name], "data.delivery")
        return index == 0 ? .push : .local
    }

    private static func index(
        of member: JSONValue?, in words: [StaticString], _ name: StaticString
    ) throws(EventFault) -> Int {
        guard let word = member?.string else { throw EventFault("expected a string as '\(name)'") }
        guard !word.isEmpty, let index = words.firstIndex(where: { equals(word, $0) }) else {
            let known = words.map { "\($0)" }.filter { !$0.isEmpty }.joined(separator: ", ")
            throw EventFault(
                "expected one of \(known) as '\(name)', found '\(String(decoding: word.prefix(40), as: UTF8.self))'")
        }
        return index
    }
}
