import RationModel

extension RecipientPlanner {
    /// The requested date of a new trigger (semantics.md section 2), or why it is refused.
    /// - Returns: the date, and what a record stores of the trigger.
    func requestedDate(of intent: Intent) throws(Rejection) -> (date: Instant, stored: Int64) {
        let result: (date: Instant, stored: Int64)
        switch intent.trigger {
        case .none:
            throw Rejection(.triggerEmpty, field: "trigger", "expected one of at, after, every, calendar, found none")
        case .at(let date):
            result = (try lateOrAhead(date, overdue: intent.overdue), date.milliseconds)
        case .after(let seconds):
            guard seconds > 0, seconds.isFinite else {
                throw Rejection(
                    .triggerInterval, field: "trigger.after", "expected seconds above 0, found \(seconds)")
            }
            result = (now.advanced(by: try milliseconds(seconds, field: "trigger.after")), 0)
        case .every(let seconds):
            guard seconds >= Limits.shortestRepeatSeconds, seconds.isFinite else {
                throw Rejection(
                    .triggerInterval, field: "trigger.every", "expected seconds of at least 60, found \(seconds)")
            }
            let interval = try milliseconds(seconds, field: "trigger.every")
            result = (now.advanced(by: interval), interval)
        case .calendar:
            throw Rejection(.triggerUnsupported, field: "trigger.calendar", "calendar triggers are not supported")
        }
        guard intent.expires > result.date else {
            throw Rejection(
                .expiresBeforeFire, field: "expires",
                "expected a date after the requested date \(result.date.rfc3339), found \(intent.expires.rfc3339)")
        }
        return result
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
        guard date <= now.advanced(by: Limits.horizonMilliseconds) else {
            throw tooFar(field: "trigger.at", found: date.rfc3339)
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
