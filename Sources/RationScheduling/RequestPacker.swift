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
    ///   - recipient: as it will be when all of it is stored; `published` is filled in here.
    ///   - request: the sequence number of the request that is sent next.
    mutating func add(
        _ difference: RecipientDifference, _ recipient: StagedRecipient, prefixes: [String],
        request: () -> UInt64
    ) throws {
        let steps = Self.steps(difference, prefixes)
        if lines + steps.count > Limits.requestLines { try flush() }
        var progress = Progress(difference)
        for (index, step) in steps.enumerated() {
            scratch.bytes.removeAll(keepingCapacity: true)
            Self.write(step, recipient, &scratch)
            if lines >= Limits.requestLines || writer.bytes.count + scratch.bytes.count > Limits.requestBytes {
                try makeRoom(index, recipient, progress)
            }
            writer.bytes.append(contentsOf: scratch.bytes)
            lines += 1
            progress.take(step, request())
        }
        var done = recipient
        done.published = progress.published
        staged.append(done)
        if staged.count >= Self.mostStaged { try flush() }
    }

    /// Sends what has gathered, with the beginning of a recipient's lines if they do not fit anywhere as a whole.
    private mutating func makeRoom(_ index: Int, _ recipient: StagedRecipient, _ progress: Progress) throws {
        if index > 0 {
            var part = recipient
            part.published = progress.published
            // It is looked at again unless its last request is stored, too.
            (part.digest, part.next, part.doubt) = (1, .distantPast, max(recipient.doubt, .resend))
            staged.append(part)
        }
        try flush()
    }

    private enum Step {
        case clear(String)
        case cancel(PublishedNotification)
        case schedule(RecipientDifference.Scheduling)
    }

    private static func steps(_ difference: RecipientDifference, _ prefixes: [String]) -> [Step] {
        var steps: [Step] = difference.clears ? prefixes.map { .clear($0) } : []
        steps += difference.cancelled.map { .cancel($0) }
        steps += difference.scheduled.map { .schedule($0) }
        return steps
    }

    private static func write(_ step: Step, _ recipient: StagedRecipient, _ writer: inout IntentWriter) {
        let (app, device) = (recipient.app, recipient.device)
        switch step {
        case .clear(let prefix): writer.cancel(prefix: prefix, app: app, device: device)
        case .cancel(let known): writer.cancel(id: known.id, app: app, device: device)
        case .schedule(let scheduling): writer.schedule(scheduling.wanted.line, app: app, device: device)
        }
    }

    /// How far a recipient has come: what is known of it when the steps up to here are stored.
    private struct Progress {
        private var known: [PublishedNotification]
        private var cancelled: ArraySlice<PublishedNotification>
        private var scheduled: ArraySlice<RecipientDifference.Scheduling>

        init(_ difference: RecipientDifference) {
            known = difference.kept
            (cancelled, scheduled) = (difference.cancelled[...], difference.scheduled[...])
        }

        /// Steps come in their order.
        mutating func take(_ step: Step, _ request: UInt64) {
            switch step {
            case .clear: break
            case .cancel: cancelled = cancelled.dropFirst()
            case .schedule(let scheduling):
                scheduled = scheduled.dropFirst()
                known.append(scheduling.published(request))
            }
        }

        var published: [PublishedNotification] {
            let waiting = cancelled + scheduled.compactMap(\.replaced)
            return (known + waiting).sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        }
    }
}

extension RecipientDifference.Scheduling {
    fileprivate func published(_ request: UInt64) -> PublishedNotification {
        var published = PublishedNotification(
            id: wanted.id, date: wanted.date, expires: wanted.expires, substance: substance, request: request)
        published.replacesAnother = replaced?.mayBePending ?? false
        return published
    }
}
