internal import RationModel
internal import RationPluginKit
internal import RationWire

/// Gathers the lines of recipients into requests, each with what it changes about them.
///
/// A recipient's lines stand in one request where they fit; where not, each of its requests says how far the recipient has
/// come with it.
struct RequestPacker {
    private var writer = IntentWriter()
    /// A recipient's lines before they are taken.
    private var scratch = IntentWriter()
    private(set) var lines = 0
    private(set) var staged: [StagedRecipient] = []
    /// Gets each request that is full.
    private let submit: (_ body: [UInt8], _ staged: [StagedRecipient]) throws -> Void

    /// Recipients whose changes need no line, that are stored at once.
    private static let mostStaged = 4_096

    init(submit: @escaping (_ body: [UInt8], _ staged: [StagedRecipient]) throws -> Void) {
        self.submit = submit
    }

    /// Sends what has gathered.
    mutating func flush() throws {
        guard !staged.isEmpty || lines > 0 else { return }
        let (body, recipients) = (writer.bytes, staged)
        writer.bytes = []
        lines = 0
        staged = []
        try submit(body, recipients)
    }

    /// Adds what has to be published for one recipient.
    /// - Parameters:
    ///   - wanted: what the difference's places are among.
    ///   - recipient: as it will be when all of it is stored, but for what was published.
    ///   - request: the sequence number of the request that is sent next.
    mutating func add(
        _ difference: RecipientDifference, _ wanted: [WantedNotification], _ recipient: StagedRecipient,
        prefixes: [String], request: () -> UInt64
    ) throws {
        let count = (difference.clears ? prefixes.count : 0) + difference.cancelled.count + difference.scheduled.count
        scratch.bytes.removeAll(keepingCapacity: true)
        for step in 0..<count { Self.write(step, difference, wanted, prefixes, recipient, &scratch) }
        guard count <= Limits.requestLines, scratch.bytes.count <= Limits.requestBytes else {
            return try split(difference, wanted, recipient, prefixes, count, request)
        }
        if lines + count > Limits.requestLines || writer.bytes.count + scratch.bytes.count > Limits.requestBytes {
            try flush()
        }
        writer.bytes.append(contentsOf: scratch.bytes)
        lines += count
        var (done, published) = (recipient, difference.published)
        let number = request()
        for scheduling in difference.scheduled { published[scheduling.place].request = number }
        done.published = published.packed()
        staged.append(done)
        if staged.count >= Self.mostStaged { try flush() }
    }

    /// Adds a recipient whose lines do not fit into one request. Each request says how far the recipient has come with it;
    /// the recipient is looked at again unless the last one is stored, too.
    private mutating func split(
        _ difference: RecipientDifference, _ wanted: [WantedNotification], _ recipient: StagedRecipient,
        _ prefixes: [String], _ count: Int, _ request: () -> UInt64
    ) throws {
        try flush()
        var published = difference.published
        for step in 0..<count {
            scratch.bytes.removeAll(keepingCapacity: true)
            let scheduled = Self.write(step, difference, wanted, prefixes, recipient, &scratch)
            if lines >= Limits.requestLines || writer.bytes.count + scratch.bytes.count > Limits.requestBytes {
                var part = recipient
                (part.digest, part.next, part.doubt) = (1, .distantPast, .resend)
                part.published = Self.progress(difference, published, through: step, prefixes).packed()
                staged.append(part)
                try flush()
            }
            writer.bytes.append(contentsOf: scratch.bytes)
            lines += 1
            if let scheduled { published[difference.scheduled[scheduled].place].request = request() }
        }
        var done = recipient
        done.published = published.packed()
        staged.append(done)
    }

    /// What is known of a recipient whose first lines are stored and the others are not: those that wait are as they were.
    private static func progress(
        _ difference: RecipientDifference, _ published: [PublishedNotification], through steps: Int,
        _ prefixes: [String]
    ) -> [PublishedNotification] {
        let cleared = difference.clears ? min(steps, prefixes.count) : 0
        let cancelled = min(steps - cleared, difference.cancelled.count)
        var known: [PublishedNotification] = published
        for scheduling in difference.scheduled.dropFirst(max(0, steps - cleared - cancelled)) {
            // Without one before, it is as if it had been refused: nothing is pending under its id.
            known[scheduling.place].standing = .refused(until: .distantPast)
            if let old = scheduling.replaced { known[scheduling.place] = old }
        }
        known += difference.cancelled.dropFirst(cancelled)
        return known.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// Writes one of a recipient's lines: the prefixes that are cleared, what is cancelled, what is scheduled.
    /// - Returns: the place among the scheduled; nil for another line.
    @discardableResult
    private static func write(
        _ step: Int, _ difference: RecipientDifference, _ wanted: [WantedNotification], _ prefixes: [String],
        _ recipient: StagedRecipient, _ writer: inout IntentWriter
    ) -> Int? {
        let (app, device) = (recipient.app, recipient.device)
        var index = step
        if difference.clears {
            if index < prefixes.count {
                writer.cancel(prefix: prefixes[index], app: app, device: device)
                return nil
            }
            index -= prefixes.count
        }
        if index < difference.cancelled.count {
            writer.cancel(id: difference.cancelled[index].id, app: app, device: device)
            return nil
        }
        index -= difference.cancelled.count
        writer.schedule(wanted[difference.scheduled[index].wanted].line, app: app, device: device)
        return index
    }
}
