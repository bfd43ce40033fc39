import RationModel

extension RecipientPlanner {
    /// What a new trigger asks for.
    struct Requested {
        var date: Instant
        /// Milliseconds between the occurrences of `every`; 0 for other triggers.
        var interval: Int64 = 0
    }

    /// The requested date of a new trigger (semantics.md section 2), or why it is refused.
    /// - Parameters:
    ///   - source: has the name of a calendar trigger's zone.
    ///   - zone: the place of the recipient's zone.
    func requestedDate(
        of intent: Intent, from source: UnsafeRawBufferPointer, zone: UInt16
    ) throws(Rejection) -> Requested {
        guard intent.content.count <= Record.contentLimit else {
            throw Rejection(
                .contentTooLarge, field: "content",
                "expected at most \(Record.contentLimit) bytes, found \(intent.content.count)")
        }
        var requested: Requested
        switch intent.trigger {
        case .none:
            throw Rejection(.triggerEmpty, field: "trigger", "expected one of at, after, every, calendar, found none")
        case .at(let date):
            requested = Requested(date: try lateOrAhead(date, overdue: intent.overdue))
        case .after(let seconds):
            guard seconds > 0, seconds.isFinite else {
                throw Rejection(
                    .triggerInterval, field: "trigger.after", "expected seconds above 0, found \(seconds)")
            }
            requested = Requested(date: now.advanced(by: try milliseconds(seconds, field: "trigger.after")))
        case .every(let seconds):
            guard seconds >= Limits.shortestRepeatSeconds, seconds.isFinite else {
                throw Rejection(
                    .triggerInterval, field: "trigger.every", "expected seconds of at least 60, found \(seconds)")
            }
            let interval = try milliseconds(seconds, field: "trigger.every")
            requested = Requested(date: now.advanced(by: interval), interval: interval)
        case .calendar(let trigger):
            requested = Requested(date: try firstMatch(of: trigger, from: source, zone: zone))
        }
        guard requested.date <= Instant.writable.upperBound else {
            throw tooFar(field: "trigger", found: "a date after \(Instant.writable.upperBound.rfc3339)")
        }
        guard intent.expires > requested.date else {
            throw Rejection(
                .expiresBeforeFire, field: "expires",
                "expected a date after the requested date \(requested.date.rfc3339), found \(intent.expires.rfc3339)")
        }
        return requested
    }

    private func lateOrAhead(_ date: Instant, overdue: Overdue) throws(Rejection) -> Instant {
        let grace = policy.policy.graceMilliseconds
        if date <= now {
            guard overdue == .deliver || date >= now.advanced(by: -grace) else {
                throw Rejection(
                    .triggerPast, field: "trigger.at",
                    "expected a date at most the policy's grace of \(grace) ms before now, \(now.rfc3339), "
                        + "found \(date.rfc3339)")
            }
            return now
        }
        guard date <= horizon else {
            throw tooFar(field: "trigger.at", found: date.rfc3339)
        }
        return date
    }

    private func firstMatch(
        of trigger: CalendarTrigger, from source: UnsafeRawBufferPointer, zone: UInt16
    ) throws(Rejection) -> Instant {
        var table = zones[zone]
        if !trigger.timeZone.isEmpty {
            let name = source.view(trigger.timeZone)
            guard let own = zones.source.zone(named: name) else {
                throw Rejection.unknownZone(String(decoding: name, as: UTF8.self), field: "trigger.timeZone")
            }
            table = own
        }
        guard let date = trigger.pattern.next(after: now, in: table, until: horizon) else {
            throw Rejection(
                .triggerNever, field: "trigger.calendar",
                "expected a match within 3653 days after now, \(now.rfc3339), found none")
        }
        return date
    }

    /// Seconds to the nearest millisecond, halves up.
    private func milliseconds(_ seconds: Double, field: String) throws(Rejection) -> Int64 {
        let product = (seconds * 1000 + 0.5).rounded(.down)
        // Below the horizon, so it fits an Int64.
        guard product <= Double(Limits.horizonMilliseconds) else {
            throw tooFar(field: field, found: "\(seconds) s")
        }
        return Int64(product)
    }

    private func tooFar(field: String, found: String) -> Rejection {
        Rejection(
            .triggerTooFar, field: field, "expected at most 3653 days after now, \(now.rfc3339), found \(found)")
    }
}

extension Rejection {
    /// A time zone that the tz database does not know.
    static func unknownZone(_ name: String, field: String) -> Rejection {
        Rejection(
            .timeZone, field: field,
            "expected a name of the tz database such as Europe/Madrid, found '\(name.prefix(64))'")
    }
}
