@testable import PlannerModel

/// The laws of section 5 on one recipient's plan, each written down once more: all stretches, all clocks.
enum Laws {
    /// "Held ≤ slots."
    static func slots(_ moment: Moment) throws(Breach) {
        for (plan, recipient, _) in moment.recipients() {
            let slots = max(0, (moment.scenario.policy["slots"]?.integer ?? 64) - recipient.reserved)
            let held = plan["held"]?.elements?.count ?? 0
            if held > slots { throw Breach("\(held) held in \(slots) slots: \(plan.json)") }
        }
    }

    /// "When a bound notification is placed, no stretch with it exceeds a cap beside the dates fixed before it."
    static func caps(_ moment: Moment) throws(Breach) {
        let policy = moment.after.policy
        for (plan, recipient, pending) in moment.recipients() {
            func isFixed(_ notification: ModelNotification) -> Bool {
                notification.wish.isRepeating || policy.keepsTime(notification.wish.type)
            }
            var dates = recipient.fired
            dates += pending.filter(isFixed).map { ModelDate(instant: $0.fireDate, type: $0.wish.type) }
            for notification in pending.filter({ !isFixed($0) }).sorted(by: ModelNotification.placed) {
                for cap in moment.scenario.policy["caps"]?.elements ?? [] where binds(cap, notification.wish) {
                    let counted = dates.filter { isAmong($0.type, cap["types"]) }.map(\.instant)
                    guard isExceeded(cap, by: notification.fireDate, beside: counted) else { continue }
                    throw Breach("\(notification.id) exceeds \(cap.json): \(plan.json)")
                }
                dates.append(ModelDate(instant: notification.fireDate, type: notification.wish.type))
            }
        }
    }

    private static func binds(_ rule: Value, _ wish: ModelWish, exempt levels: Value = ["critical"]) -> Bool {
        isAmong(wish.type, rule["types"]) && !isAmong(wish.level, rule["exempt"] ?? levels)
    }

    private static func isAmong(_ text: Text, _ list: Value?) -> Bool {
        list?.elements?.contains(.string(text)) ?? true
    }

    /// Looks at every stretch from one date to another that contains the instant and is shorter than `per`.
    private static func isExceeded(_ cap: Value, by instant: Int64, beside others: [Int64]) -> Bool {
        let dates = others + [instant]
        let per = ModelPolicy.duration(cap["per"]) ?? 0
        return dates.contains { first in
            dates.contains { last in
                first <= instant && instant <= last && last - first < per
                    && dates.count { $0 >= first && $0 <= last } > cap["limit"]?.integer ?? 0
            }
        }
    }

    /// "No fire date of one that quiet hours bind lies in them."
    static func quietPlans(_ moment: Moment) throws(Breach) {
        for (plan, recipient, pending) in moment.recipients() {
            for notification in pending {
                guard isQuiet(notification.fireDate, for: notification.wish, recipient, moment.after) else { continue }
                throw Breach("\(notification.id) is planned for quiet hours: \(plan.json)")
            }
        }
    }

    /// "None such is `due` in them." Looks at what intents of the step cannot have changed.
    static func quietDue(_ moment: Moment) throws(Breach) {
        for line in moment.output where line["kind"] == "due" {
            guard let name = ModelRecipientName(line), let recipient = moment.before.recipients[name],
                let at = line["at"]?.date, at < moment.step.now || moment.step.intents.isEmpty,
                let id = line["id"]?.text, let notification = recipient.pending(id)
            else { continue }
            guard isQuiet(at, for: notification.wish, recipient, moment.before) else { continue }
            throw Breach("due in quiet hours: \(line.json)")
        }
    }

    private static func isQuiet(
        _ instant: Int64, for wish: ModelWish, _ recipient: ModelRecipient, _ model: ModelSimulation
    ) -> Bool {
        if wish.isRepeating || model.policy.keepsTime(wish.type) { return false }
        let wall = recipient.zone(model.policy).wall(at: instant)
        return recipient.windows(model.policy).contains { window in
            guard window.binds(type: wish.type, level: wish.level) else { return false }
            let (minute, number) = (wall.divided(by: World.minute), wall.divided(by: ModelZone.day))
            let now = minute - number * 1440
            // Monday first; 1970-01-01 was a Thursday.
            let (today, yesterday) = (Int((number + 3) % 7), Int((number + 2) % 7))
            let end = window.to < window.from ? window.to + 1440 : window.to
            return window.days[today] && window.from <= now && now < end
                || window.days[yesterday] && window.from <= now + 1440 && now + 1440 < end
        }
    }
}
