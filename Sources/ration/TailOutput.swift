import RationBus
import RationCommandLine

/// Writes followed events: as lines, as JSON, with a table below them on a terminal.
final class TailOutput {
    private let console: Console
    private let printsJSON: Bool
    private let showsSummary: Bool
    /// On a terminal the table stands below the events and is written anew.
    private let redraws: Bool
    private let clock = SystemMonotonicClock()
    private var counts = EventCounts()
    private var nextDrawing: Int64
    private var nextCatchingUp = Int64.min
    /// What stands above the table from the next drawing on: the newest lines.
    private var waiting: [String] = []
    private var skipped = 0
    /// Lines of the table on the screen.
    private var drawnLines = 0
    private var isChanged = true

    private static let drawMilliseconds: Int64 = 100
    private static let tableMilliseconds: Int64 = 5_000
    /// Events that one drawing adds, at most.
    private static let waitingLimit = 40

    init(_ console: Console, printsJSON: Bool, showsSummary: Bool) {
        self.console = console
        self.printsJSON = printsJSON
        self.showsSummary = showsSummary
        redraws = showsSummary && !printsJSON && console.terminal.isInteractive
        nextDrawing = clock.milliseconds + (redraws ? 0 : Self.tableMilliseconds)
    }

    /// How long the next look at the table may wait.
    var waitMilliseconds: Int64 {
        showsSummary && (isChanged || !redraws) ? max(0, nextDrawing - clock.milliseconds) : 60_000
    }

    /// - Returns: whether it was an event that is wanted.
    func tell(_ item: FollowedItem, _ reader: inout EventReader) throws -> Bool {
        switch item {
        case .event(let bytes): return try tell(bytes, &reader)
        case .gone(let count): try note("\(count) events are gone: the log no longer keeps them")
        case .catchingUp(let behind): try noteCatchingUp(behind)
        case .logChanged(let log):
            try note("the broker has another event log now, \(log); following it from its beginning")
        case .brokerAway: try note("the broker is away; waiting for it")
        case .brokerBack: try note("the broker is back")
        }
        return false
    }

    private func tell(_ bytes: UnsafeRawBufferPointer, _ reader: inout EventReader) throws -> Bool {
        switch try reader.read(bytes) {
        case .unwanted: return false
        case .unread: try console.output.line(bytes: bytes)
        case .event(let event):
            counts.add(event.kind, of: event.type)
            isChanged = true
            if printsJSON {
                try console.output.line(bytes: bytes)
            } else {
                try add(event.line(console.terminal, width: redraws ? console.terminal.columns : .max))
            }
        }
        return true
    }

    private func add(_ line: String) throws {
        guard redraws else { return try console.output.line(line) }
        waiting.append(line)
        // Removing many at once keeps this cheap.
        if waiting.count >= 2 * Self.waitingLimit { skipOld() }
    }

    private func skipOld() {
        let old = max(0, waiting.count - Self.waitingLimit)
        waiting.removeFirst(old)
        skipped += old
    }

    private func note(_ text: String) throws {
        guard redraws else { return console.complain(text) }
        isChanged = true
        let line = DisplayWidth.cut("\(console.program): \(text)", to: console.terminal.columns)
        try add(console.terminal.styled(line, .yellow))
    }

    private func noteCatchingUp(_ behind: UInt64) throws {
        let now = clock.milliseconds
        guard now >= nextCatchingUp else { return }
        nextCatchingUp = now + 1_000
        try note("catching up from the log, \(behind) events behind")
    }

    /// Writes what has gathered, and the table when it is time.
    func refresh() throws {
        let now = clock.milliseconds
        if showsSummary, now >= nextDrawing {
            if redraws {
                try draw()
            } else if !printsJSON {
                try writeTable(to: console.output)
            }
            nextDrawing = now + (redraws ? Self.drawMilliseconds : Self.tableMilliseconds)
        }
        try console.output.flush()
    }

    /// The new lines where the table was, and the table below them.
    private func draw() throws {
        guard isChanged else { return }
        isChanged = false
        skipOld()
        let width = console.terminal.columns
        var frame = drawnLines > 0 ? "\u{1B}[\(drawnLines)A\r\u{1B}[J" : ""
        if skipped > 0 { frame += console.terminal.styled("… \(skipped) more", .dim) + "\n" }
        for line in waiting { frame += line + "\n" }
        let table = [""] + counts.lines(width: width)
        for line in table { frame += line + "\n" }
        waiting = []
        skipped = 0
        drawnLines = table.count
        try console.output.text(frame)
    }

    private func writeTable(to output: LineOutput) throws {
        guard isChanged else { return }
        isChanged = false
        for line in [""] + counts.lines(width: .max) + [""] { try output.line(line) }
    }

    /// The last table.
    func finish() throws {
        isChanged = true
        if redraws {
            try draw()
        } else if showsSummary {
            // The events themselves stay NDJSON.
            try writeTable(to: printsJSON ? console.errors : console.output)
            try console.errors.flush()
        }
        try console.output.flush()
    }
}
