internal import RationModel
internal import RationPluginKit
internal import RationWire

extension WantedNotification {
    /// What the broker is told.
    var line: IntentWriter.Schedule {
        var line = IntentWriter.Schedule(id: id, content: content.written, date: date.written)
        (line.type, line.expires, line.overdue) = (type, expires, overdue)
        return line
    }

    /// Whether it can be told at all; if not, why.
    var fault: String? {
        let idBytes = id.utf8.count
        guard (1...Limits.idBytes).contains(idBytes) else {
            return "an id has 1 to \(Limits.idBytes) bytes, this one has \(idBytes)"
        }
        // Far more than the broker takes, and with all escapes that JSON may need it fits in a request.
        let most = Limits.requestBytes / 8
        guard content.bytes <= most else {
            return "its content has \(content.bytes) bytes, at most \(most) can be sent"
        }
        if case .wall(let wall) = date {
            let year = Instant.date(days: Instant.split(wall: wall).day).year
            guard (1...9999).contains(year) else { return "its year is \(year), expected 1 to 9999" }
        }
        return nil
    }
}

extension WantedContent {
    fileprivate var written: IntentWriter.Content {
        var content = IntentWriter.Content()
        (content.title, content.subtitle, content.body) = (title, subtitle, body)
        (content.category, content.threadId, content.sound) = (category, threadId, sound)
        content.interruptionLevel = interruptionLevel
        content.relevanceScore = relevanceScore.flatMap { $0.isFinite ? $0 : nil }
        content.userInfo = userInfo
        return content
    }

    fileprivate var bytes: Int {
        let texts = [title, subtitle, body, category, threadId, sound].reduce(0) { $0 + $1.utf8.count }
        return userInfo.reduce(texts) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}

extension WantedDate {
    /// A wall time is a calendar date with all its components, which matches once, and floats with the device.
    fileprivate var written: IntentWriter.Date {
        switch self {
        case .at(let instant): return .at(instant)
        case .wall(let wall):
            let (day, milliseconds) = Instant.split(wall: wall)
            let date = Instant.date(days: day)
            let seconds = milliseconds / 1_000
            var pattern = CalendarPattern()
            // A year of 1 to 9999 was checked; the others are parts of a date and a day.
            pattern.year = Int16(truncatingIfNeeded: date.year)
            pattern.month = Int16(truncatingIfNeeded: date.month)
            pattern.day = Int16(truncatingIfNeeded: date.day)
            pattern.hour = Int16(truncatingIfNeeded: seconds / 3_600)
            pattern.minute = Int16(truncatingIfNeeded: seconds / 60 % 60)
            pattern.second = Int16(truncatingIfNeeded: seconds % 60)
            return .calendar(pattern)
        }
    }
}
