import RationModel
import RationPlanner

/// A pending notification's explanation for people, a sentence each without its full stop, the verdict first.
extension Explanation {
    /// - Parameters:
    ///   - zone: the recipient's.
    ///   - now: the last batch's instant.
    func words(in zone: ZoneTable, now: Instant) -> [String] {
        let dates = LocalDate(zone: zone)
        var words = [verdict(dates, now), typeWords, requestWords(dates)]
        let shown = moves.map { $0.words(dates) }
        words += shown.prefix(omittedMoves > 0 ? shown.count / 2 : shown.count)
        if omittedMoves > 0 { words += ["\(omittedMoves) more moves"] + shown.suffix(shown.count - shown.count / 2) }
        if moves.isEmpty { words.append(unmovedWords) }
        words.append(placeWords)
        words += [share.map(shareWords), isHeld ? nil : displacedWords(dates), isHeld ? nil : wayOut(dates)]
            .compactMap(\.self)
        return words
    }

    private func verdict(_ dates: LocalDate, _ now: Instant) -> String {
        guard !isHeld else { return "holds a slot and fires at \(dates.withZone(fireDate))" }
        guard fireDate <= now else { return "waits for a slot, planned for \(dates.withZone(fireDate))" }
        return "waits for a slot with its time come: it fires as soon as it has one, unless the policy's grace or its "
            + "'expires' is over before"
    }

    private var typeWords: String {
        let source =
            switch typeSource {
            case .intent: "which its intent names"
            case .prefix(let prefix): "by the prefix '\(prefix)' of its id"
            case .unknown: "as its intent names none and its id begins with no prefix of the policy"
            }
        return "type '\(type)', \(source); priority \(priority), from \(prioritySource)"
    }

    private func requestWords(_ dates: LocalDate) -> String {
        let words = "requested for \(dates.text(requestedDate)) by its trigger '\(trigger.rawValue)'"
        return unmovedDate == requestedDate ? words : words + ", which has passed: planned from now on"
    }

    private var unmovedWords: String {
        switch exemption {
        case .repeating: "neither quiet hours nor caps move it, since it repeats; it counts for caps"
        case .keepsTime: "neither quiet hours nor caps move it, since its type keeps its time; it counts for caps"
        case nil: "neither quiet hours nor caps move it: there it may fire"
        }
    }

    private var placeWords: String {
        let slots = self.slots == 1 ? "1 slot" : "\(self.slots) slots"
        return "place \(rank) of \(count) in the order \(order); the device has \(slots)"
    }

    private func shareWords(_ share: Share) -> String {
        let parts = [
            share.minimum.map { "at least \($0) while it has something pending" },
            share.maximum.map { "at most \($0)" },
        ]
        let bounds = parts.compactMap(\.self).joined(separator: ", ")
        let kind = share.quota == Quota.others ? "all types that no other quota names" : "this type"
        let words =
            "quotas.\(share.quota) gives \(kind) \(bounds) of these slots; "
            + (share.held == 1 ? "1 is taken" : "\(share.held) are taken")
        if isHeld { return rank > slots ? "\(words), which gives it a slot before its turn" : words }
        return share.maximum.map { share.held >= $0 } == true ? "\(words), so that it is passed over" : words
    }

    private func displacedWords(_ dates: LocalDate) -> String? {
        guard !displacedBy.isEmpty else { return nil }
        let others = displacedBy.map { "'\($0.id)' at \(dates.text($0.date))" }.joined(separator: ", ")
        return displacedBy.count == 1 ? "the last slot is held by \(others)" : "the last slots are held by \(others)"
    }

    private func wayOut(_ dates: LocalDate) -> String {
        let priority = priorityThatHolds.map { "priority \($0)" }
        let date = dateThatHolds.map { "a requested date of \(dates.text($0))" }
        switch (priority, date) {
        case (let priority?, let date?): return "\(priority), or \(date), would give it a slot"
        case (let one?, nil), (nil, let one?): return "\(one) would give it a slot"
        case (nil, nil): return "neither another priority nor an earlier date would give it a slot"
        }
    }
}

extension Explanation.Move {
    /// So many neighbours are named.
    private static let namedAtMost = 3

    fileprivate func words(_ dates: LocalDate) -> String {
        let rule = reason.hasPrefix(self.rule) ? reason : "\(self.rule), \(reason)"
        let words = "moved to \(dates.text(to)) by \(rule)"
        guard !beside.isEmpty else { return words }
        let others = nearest.map { "'\($0.id)' \($0.hasFired ? "fired at" : "at") \(dates.text($0.date))" }
        let more = beside.count > others.count ? " and \(beside.count - others.count) more" : ""
        return "\(words), beside \(others.joined(separator: ", "))\(more)"
    }

    /// Those nearest to where it was, by date.
    private var nearest: ArraySlice<Explanation.Neighbour> {
        func distance(_ neighbour: Explanation.Neighbour) -> UInt64 {
            (neighbour.date.milliseconds - from.milliseconds).magnitude
        }
        var named = beside[...]
        while named.count > Self.namedAtMost, let first = named.first, let last = named.last {
            if distance(first) > distance(last) { named.removeFirst() } else { named.removeLast() }
        }
        return named
    }
}
