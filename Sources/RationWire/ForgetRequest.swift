internal import RationJSON
internal import RationModel

/// `forget`, on the admin endpoint: a recipient of which nothing is to be kept (wire.md, "Forgetting a device").
public struct ForgetRequest: Hashable, Sendable {
    public var recipient: DevicesRequest.Recipient

    public init(app: String, device: String) {
        recipient = DevicesRequest.Recipient(app: app, device: device)
    }

    /// The body of a request.
    public var body: [UInt8] {
        ObjectText.bytes { object in
            object.text("app", recipient.app)
            object.text("device", recipient.device)
        }
    }
}

/// The answer to `forget`: what was erased.
public struct ForgetAnswer: Hashable, Sendable {
    public var log: String
    /// The batch with which it began, and how many events of the log named the recipient.
    public var batch: UInt64
    public var events: UInt64
    /// Kept answers of which texts were erased, of whatever recipient they were.
    public var answers: UInt64
    /// How long it took.
    public var milliseconds: UInt64
    /// Requests that are kept aside (`ration poison`) and name the device: they stay.
    public var poison: [String]

    public init(
        log: String, batch: UInt64, events: UInt64, answers: UInt64, milliseconds: UInt64, poison: [String]
    ) {
        (self.log, self.batch, self.events) = (log, batch, events)
        (self.answers, self.milliseconds, self.poison) = (answers, milliseconds, poison)
    }

    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        log = try answer.text("log")
        batch = try answer.unsigned("batch")
        events = try answer.unsigned("events")
        answers = try answer.unsigned("answers")
        milliseconds = try answer.unsigned("ms")
        poison = answer.elements("poison") { $0.text ?? "" }
    }

    /// The body of an answer.
    public var body: [UInt8] {
        func integer(_ number: UInt64) -> Int { Int(truncatingIfNeeded: number) }
        return ObjectText.bytes { object in
            object.text("log", log)
            object.integers(
                ("batch", integer(batch)), ("events", integer(events)), ("answers", integer(answers)),
                ("ms", integer(milliseconds)))
            object.list("poison", poison)
        }
    }
}

extension QueryReader {
    /// The body of `forget`: a recipient, by its names as intents give them.
    public mutating func forget(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> DevicesRequest.Recipient {
        let object = try object(body, fields: ["app", "device"])
        let recipient = DevicesRequest.Recipient(
            app: try required(object, "app"), device: try required(object, "device"))
        let names = [("app", recipient.app, Limits.appBytes), ("device", recipient.device, Limits.deviceBytes)]
        for (name, text, limit) in names {
            guard (1...limit).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw RequestFault(
                    .malformed, "'\(name)' has \(text.utf8.count) bytes, expected 1 to \(limit), none of them 0")
            }
        }
        return recipient
    }
}
