import RationModel
import RationPluginKit
import TestSupport

/// Checks what a runner relies on in a scheduler, on generated facts and instants (`Scheduler`). Each scheduler of the tree
/// passes it; a new one is added to `SchedulerConformanceTests`.
struct SchedulerConformance {
    enum Law: String, CaseIterable {
        case declaration = "tables, columns and settings have names of their own, prefixes and types are valid"
        case determinism = "the same question has the same answer, also from another instance"
        case rows = "the order of rows does not matter"
        case identifiers = "ids are distinct, valid and begin with a prefix"
        case content = "the broker takes each type and content"
        case dates = "what is wanted expires after its date, and after now"
        case change = "until the next change all that is wanted stays wanted until it expires, and nothing else is"
        case ahead = "the next change lies after now"
        case faults = "a fault names a row that there is, and its table and column"
        case neighbours = "rows with faults do not matter to the others"
    }

    struct Broken {
        var law: Law
        var example: String
    }

    /// Gives an instance of the scheduler under test; asked twice.
    var make: () -> any Scheduler
    var zones: any ZoneSource
    var seed: UInt64
    var questions = 25

    /// The laws that the scheduler breaks, each with its first example.
    func broken() -> [Broken] {
        let (scheduler, other) = (make(), make())
        var broken: [Broken] = []
        func note(_ law: Law, _ example: @autoclosure () -> String) {
            guard !broken.contains(where: { $0.law == law }) else { return }
            let name = type(of: scheduler).name
            broken.append(Broken(law: law, example: "seed \(seed): \(law.rawValue): \(name), \(example())"))
        }
        if let fault = declarationFault(scheduler, other) { note(.declaration, fault) }
        var generator = SchedulerQuestions(tables: type(of: scheduler).tables, seed: seed)
        for _ in 0..<questions {
            let question = generator.question()
            let answer = question.ask(scheduler, zones)
            for law in Law.allCases {
                let example = fault(law, of: scheduler, other, question, answer, &generator)
                if let example { note(law, "\(example), \(question)") }
            }
        }
        return broken
    }

    private func fault(
        _ law: Law, of scheduler: any Scheduler, _ other: any Scheduler, _ question: SchedulerQuestion,
        _ answer: WantedNotifications, _ generator: inout SchedulerQuestions
    ) -> String? {
        switch law {
        case .declaration: return nil
        case .determinism:
            let again = [question.ask(scheduler, zones), question.ask(other, zones)]
            return again.allSatisfy { $0 == answer } ? nil : "\(answer) and \(again)"
        case .rows:
            let shuffled = generator.shuffled(question).ask(scheduler, zones)
            let isSame = shuffled.sorted == answer.sorted && shuffled.nextChange == answer.nextChange
            return isSame ? nil : "\(answer) and \(shuffled)"
        case .identifiers: return identifierFault(answer, scheduler.prefixes)
        case .content: return contentFault(answer, scheduler.types)
        case .dates: return dateFault(answer, question.now)
        case .change: return changeFault(answer, scheduler, question, &generator)
        case .ahead: return answer.nextChange.map { $0 > question.now } ?? true ? nil : "\(answer)"
        case .faults: return answer.faults.first { !question.has($0, in: type(of: scheduler).tables) }.map { "\($0)" }
        case .neighbours:
            let left = question.without(answer.faults, in: type(of: scheduler).tables).ask(scheduler, zones)
            return left.sorted == answer.sorted ? nil : "\(answer) and, without the faulty rows, \(left)"
        }
    }

    private func declarationFault(_ scheduler: any Scheduler, _ other: any Scheduler) -> String? {
        let plugin = type(of: scheduler)
        func isDistinct(_ names: [String]) -> Bool { Set(names).count == names.count && !names.contains("") }
        if !isDistinct(plugin.tables.map(\.name)) || plugin.tables.isEmpty { return "tables" }
        for table in plugin.tables where !isDistinct(table.columns.map(\.name) + ["app", "device"]) {
            return table.name
        }
        if !isDistinct(plugin.settings.map(\.name)) { return "settings" }
        if !isDistinct(scheduler.prefixes) || scheduler.prefixes.isEmpty || scheduler.prefixes != other.prefixes {
            return "prefixes \(scheduler.prefixes)"
        }
        guard scheduler.prefixes.allSatisfy({ $0.isIdentifier(limit: Limits.idBytes) }) else { return "prefixes" }
        let isPlain = scheduler.types.allSatisfy { type in
            Array(type.utf8).withUnsafeBytes { Name.isPlain($0, limit: Limits.typeBytes) }
        }
        return isPlain && isDistinct(scheduler.types) && scheduler.types == other.types ? nil : "types"
    }

    private func identifierFault(_ answer: WantedNotifications, _ prefixes: [String]) -> String? {
        var known: Set<[UInt8]> = []
        for notification in answer.notifications {
            let id = notification.id
            guard known.insert(Array(id.utf8)).inserted else { return "'\(id)' twice" }
            guard id.isIdentifier(limit: Limits.idBytes), prefixes.contains(where: { id.utf8.starts(with: $0.utf8) })
            else { return "'\(id)'" }
        }
        return nil
    }

    private func contentFault(_ answer: WantedNotifications, _ types: [String]) -> String? {
        for notification in answer.notifications {
            if !types.contains(notification.type) { return "type '\(notification.type)'" }
            if let fault = notification.content.fault { return "\(notification.id): \(fault)" }
        }
        return nil
    }

    private func dateFault(_ answer: WantedNotifications, _ now: Instant) -> String? {
        let wrong = answer.notifications.first { notification in
            let latest = RecipientClock.instants(of: notification.date).upperBound
            if case .wall(let wall) = notification.date, wall % 1000 != 0 { return true }
            return notification.expires <= latest || notification.expires <= now || notification.marginMilliseconds < 0
        }
        return wrong.map { "\($0)" }
    }

    private func changeFault(
        _ answer: WantedNotifications, _ scheduler: any Scheduler, _ question: SchedulerQuestion,
        _ generator: inout SchedulerQuestions
    ) -> String? {
        for later in generator.instants(of: question, before: answer.nextChange, about: answer) {
            let there = question.at(later).ask(scheduler, zones)
            let expected = answer.sorted.filter { $0.expires > later }
            guard there.sorted != expected else { continue }
            let difference = Set(there.notifications).symmetricDifference(expected).map { "\($0.id) \($0.date.text)" }
            return "at \(later.rfc3339), before \(answer.nextChange?.rfc3339 ?? "never"), it differs by \(difference)"
        }
        return nil
    }
}

extension WantedNotifications {
    /// By their ids.
    var sorted: [WantedNotification] {
        notifications.sorted { left, right in
            // `==` takes texts for equal that differ in their bytes.
            left.id == right.id ? left.id.utf8.lexicographicallyPrecedes(right.id.utf8) : left.id < right.id
        }
    }
}
