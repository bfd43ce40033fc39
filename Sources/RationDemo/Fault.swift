import RationModel

/// What services get wrong.
enum Fault: CaseIterable {
    case yesterday, tooOften, atOnce, unknownZone, cutOff, expiresFirst

    /// Appends one intent that is refused.
    func append(for person: Person, at now: Instant, to lines: inout IntentLines) {
        var wish = Wish(
            id: "com.myapp.entryReminder.fault", title: "Diary", body: "How was today?", reference: 0,
            trigger: .after(3_600))
        switch self {
        case .yesterday: wish.trigger = .at(now.advanced(by: -86_400_000))
        case .tooOften: wish.trigger = .every(5)
        case .atOnce: wish.trigger = .after(0)
        case .unknownZone: return lines.moved(person, to: "Europe/Atlantis")
        case .cutOff: return lines.broken(for: person)
        case .expiresFirst: wish.expires = now
        }
        lines.schedule(wish, for: person)
    }
}
