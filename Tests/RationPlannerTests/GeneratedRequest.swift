import RationModel

/// One intent in words, for tests that decide the same in more than one way.
struct GeneratedRequest: Sendable {
    var operation = Intent.Operation.schedule
    var device = "d"
    /// The id; for a cancel the id, prefix or type that it names.
    var id = ""
    var type = ""
    var level = InterruptionLevel.active
    var thread = ""
    var body = "b"
    var trigger = Trigger.none
    /// A calendar trigger's own zone; empty for one that floats.
    var timeZone = ""
    var expires = Instant.distantFuture
    var overdue = Overdue.drop
    var settings = DeviceSettings()

    func append(to batch: inout IntentBatch) {
        var intent = Intent(operation: operation)
        intent.app = batch.bytes.append("app")
        intent.device = batch.bytes.append(device)
        intent.id = batch.bytes.append(id)
        intent.type = batch.bytes.append(type)
        intent.level = level
        let thread = thread.isEmpty ? "" : #","threadId":"\#(thread)""#
        intent.content = batch.bytes.append(#"{"body":"\#(body)"\#(thread)}"#)
        intent.trigger = trigger
        if case .calendar(var calendar) = trigger {
            calendar.timeZone = batch.bytes.append(timeZone)
            intent.trigger = .calendar(calendar)
        }
        intent.expires = expires
        intent.overdue = overdue
        if operation == .device {
            intent.detail = Int32(batch.settings.count)
            batch.settings.append(settings)
        }
        batch.intents.append(intent)
    }

    /// A cancel that finds nothing: with it, a batch holds more than one intent for its recipient.
    static func cancelOfNothing(device: String) -> GeneratedRequest {
        var request = GeneratedRequest()
        request.operation = .cancelID
        request.device = device
        request.id = "nothing has this id"
        return request
    }
}

extension IntentBatch {
    init(_ requests: [GeneratedRequest]) {
        self.init()
        for request in requests { request.append(to: &self) }
    }
}
