internal import RationModel
internal import RationSQLite

/// Feedback of a page: what was told of notifications that have come due.
extension PageFold {
    /// What open rates are kept by: the hour in which notifications came due, not the one in which it was told, so that a rate's
    /// two sides are of the same notifications.
    struct OpenKey: Hashable {
        var hour: Int64
        var type: Int64
        /// Of the fire date, in UTC: events do not tell zones.
        var hourOfDay: UInt8
        var priority: Int32

        init(_ entry: ShownNotifications.Entry) {
            hour = PageFold.hour(Instant(milliseconds: entry.time))
            (type, hourOfDay, priority) = (entry.type, entry.hourOfDay, entry.priority)
        }
    }

    /// What is added to an open rate.
    struct Opens: Hashable {
        var due: Int64 = 0
        var failed: Int64 = 0
        var opened: Int64 = 0

        /// Counts a notification by its fate.
        mutating func count(_ fate: ShownNotifications.Fate, _ times: Int64) {
            switch fate {
            case .failed: failed += times
            case .opened: opened += times
            case .unknown, .reached: break
            }
        }
    }

    /// Takes in one that has come due.
    mutating func show(_ event: ReceivedEvent, in place: Int, _ type: Int64) {
        let hours = PageFold.hour(event.fireDate) % 24
        let entry = ShownNotifications.Entry(
            id: event.id.byteHash(seed: idSeed), time: event.time.milliseconds, type: type, priority: event.priority,
            hourOfDay: UInt8(hours < 0 ? hours + 24 : hours))
        touched[place].shown.add(entry)
        opens.change(OpenKey(entry), new: Opens()) { $0.due += 1 }
    }

    /// Takes in feedback.
    /// - Returns: the number of the notification's type; nil for one that is not known.
    mutating func tell(_ event: ReceivedEvent, in place: Int) -> Int64? {
        let told = touched[place].shown.tell(
            event.id.byteHash(seed: idSeed), ShownNotifications.Fate(event.kind))
        guard let (before, after) = told else { return nil }
        if before.fate != after.fate {
            opens.change(OpenKey(after), new: Opens()) {
                $0.count(before.fate, -1)
                $0.count(after.fate, 1)
            }
        }
        return after.type
    }

    /// What came due earlier is not looked for any more.
    func forgottenBefore(_ time: Int64) -> Int64 { time - limits.openMilliseconds }
}
