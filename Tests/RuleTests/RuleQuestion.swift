import RationModel

@testable import RationPlanner

/// What a rule is asked: one notification at one instant, beside fixed dates.
struct RuleQuestion: CustomStringConvertible {
    /// What a rule may know of a notification.
    struct Owner {
        var type: TypeIndex
        /// For a type that the policy does not name.
        var ownType = ""
        var level = InterruptionLevel.active
        var thread = ""

        func with<Result>(_ body: (RuledNotification) -> Result) -> Result {
            let content = thread.isEmpty ? #"{"body":"b"}"# : #"{"body":"b","threadId":"\#(thread)"}"#
            return Array(ownType.utf8).withUnsafeBytes { ownType in
                Array(content.utf8).withUnsafeBytes { content in
                    body(RuledNotification(type: type, ownType: ownType, level: level, content: content))
                }
            }
        }
    }

    struct Dated {
        var date: Instant
        var owner: Owner
    }

    var owner: Owner
    var instant: Instant
    var zone: ZoneTable
    var dates: [Dated] = []

    /// - Parameter countsAll: whether the rule is shown dates that it does not count, too.
    func ask(_ rule: any Rule, countsAll: Bool = false) -> Ruling {
        var fixed = FixedDates()
        for dated in dates where countsAll || rule.counting.counts(dated.owner.type) {
            fixed.insert(dated.date, mark: rule.isSymmetric ? 0 : dated.owner.with { rule.mark(of: $0) })
        }
        return owner.with { rule.ruling(on: $0, at: instant, in: zone, beside: fixed) }
    }

    /// The same question of another instant.
    func at(_ instant: Instant) -> RuleQuestion {
        var question = self
        question.instant = instant
        return question
    }

    var description: String {
        let dates = dates.map { "\($0.date.rfc3339) type \($0.owner.type) thread \($0.owner.thread)" }
        return "type \(owner.type) \(owner.level) thread \(owner.thread) at \(instant.rfc3339) in \(zone.name) "
            + "beside \(dates)"
    }
}
