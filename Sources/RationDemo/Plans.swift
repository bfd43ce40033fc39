import RationModel

/// What the services have planned for a person: their backlog.
struct Plans {
    let person: Person
    let now: Instant

    init(_ person: Person, _ now: Instant) {
        self.person = person
        self.now = now
    }

    func append(to lines: inout IntentLines, _ dice: inout Dice) {
        for habit in person.habits { append(person.reminders(of: habit, from: now), to: &lines) }
        for place in person.supplies.indices { append([depletion(place)], to: &lines) }
        append([nudge(&dice)], to: &lines)
        if dice.hits(oneIn: 8) { append(onboarding(since: dice.within(0...6)), to: &lines) }
        if dice.hits(oneIn: 6) { append([timer(0, after: dice.within(2...60))], to: &lines) }
        if dice.hits(oneIn: 20) { append([repeating(&dice)], to: &lines) }
        switch person.kind {
        case .hoarding: append(hourly(count: 1_200), to: &lines)
        case .crowdedOut: append((0..<3).map { _ in glimpse(&dice) }, to: &lines)
        case .ordinary, .eager: break
        }
    }

    /// Pushed further away by each visit, since `after` begins anew.
    func nudge(_ dice: inout Dice) -> Wish {
        Wish(
            id: "com.myapp.inactivityReminder.0", title: "Still there?", body: "Your streak waits for you",
            reference: 0, trigger: .after(3 * 86_400 + dice.below(7_200)))
    }

    /// Two days before a supply runs out, in the morning.
    func depletion(_ place: Int) -> Wish {
        let name = Person.supplyNames[place % Person.supplyNames.count]
        let day = person.clock.day(at: now) + max(1, person.supplies[place] - 2)
        let instant = person.clock.instant(day: day, minute: 9 * 60)
        return Wish(
            id: "com.myapp.depletionReminder.\(place)", title: "Running out", body: "Two days of \(name) are left",
            category: "supply", thread: "supplies", reference: place, trigger: .at(instant), isDeliveredLate: true)
    }

    /// Welcomes on the first, third and seventh day after a sign-up.
    /// - Parameter days: since the sign-up.
    func onboarding(since days: Int) -> [Wish] {
        let texts = [
            (day: 1, title: "Welcome", body: "Your first habit is set: how did it go?"),
            (day: 3, title: "Three days", body: "See what others track beside it"),
            (day: 7, title: "One week", body: "Your first summary is ready"),
        ]
        return texts.filter { $0.day > days }.map { text in
            let instant = person.clock.instant(day: person.clock.day(at: now) + text.day - days, minute: 10 * 60)
            return Wish(
                id: text.day == 1 ? "com.myapp.day1Reminder.0" : "com.myapp.welcome.\(text.day)", type: "day1",
                title: text.title, body: text.body, thread: "welcome", reference: text.day,
                trigger: text.day == 1 ? .after(86_400) : .at(instant))
        }
    }

    /// A reminder that was put off for a moment, or a timer.
    func timer(_ number: Int, after seconds: Int) -> Wish {
        Wish(
            id: Self.timerID(number), title: "Diary", body: "You wanted to write this down",
            category: "reminder", thread: "diary", reference: number, trigger: .after(seconds))
    }

    static func timerID(_ number: Int) -> String { "com.myapp.entryReminder.timer.\(number)" }

    /// Worth nothing some seconds later.
    func glimpse(_ dice: inout Dice) -> Wish {
        let instant = now.advanced(by: Int64(dice.within(2...40)) * 1_000)
        return Wish(
            id: "com.myapp.entryReminder.glimpse.\(instant.milliseconds)", type: "entry", title: "Photo of the moment",
            body: "You have three seconds", thread: "glimpse", reference: 0, trigger: .at(instant),
            expires: instant.advanced(by: 3_000))
    }

    func repeating(_ dice: inout Dice) -> Wish {
        Wish(
            id: "com.myapp.habitReminder.pause.0", title: "Pause", body: "Look out of the window", category: "reminder",
            thread: "pause", reference: 0, trigger: .every(dice.pick([60, 1_800, 3_600, 5_400, 86_400])))
    }

    /// One an hour from the next hour on.
    func hourly(count: Int) -> [Wish] {
        let hour: Int64 = 3_600_000
        return (1...count).map { number in
            Wish(
                id: "com.myapp.entryReminder.hour.\(number)", title: "Hour \(number)", body: "What are you doing?",
                reference: number,
                trigger: .at(Instant(milliseconds: (now.milliseconds / hour + Int64(number)) * hour)))
        }
    }

    private func append(_ wishes: [Wish], to lines: inout IntentLines) {
        for wish in wishes { lines.schedule(wish, for: person) }
    }
}
