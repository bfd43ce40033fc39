import RationModel
import RationStore
import RationWire

/// Searches the event log backwards for the last events about one notification.
struct EventSearch {
    private let store: any Store
    private let app: [UInt8]
    private let device: [UInt8]
    private let id: [UInt8]
    /// Events from here on were looked at.
    private var position: UInt64
    /// The log's oldest event when the search began.
    let first: UInt64
    /// Oldest first, at most `ExplainedEvent.limit`.
    private(set) var found: [ExplainedEvent] = []

    /// Events that one step looks at.
    private static let stepEvents: UInt64 = 4096
    private static let rowBytes = 1 << 20

    /// - Parameter sequence: the last event that counts.
    init(_ request: ExplainRequest, upTo sequence: UInt64, in store: any Store) {
        self.store = store
        (app, device, id) = (Array(request.app.utf8), Array(request.device.utf8), Array(request.id.utf8))
        position = sequence + 1
        first = store.range.first
    }

    var isDone: Bool { position <= first || found.count >= ExplainedEvent.limit }

    /// Looks at the stretch of the log before those that were looked at.
    /// - Throws: what the store throws for events that cannot be read.
    mutating func advance() throws(StoreError) {
        guard !isDone else { return }
        let begin = position - first > Self.stepEvents ? position - Self.stepEvents : first
        var matches: [ExplainedEvent] = []
        var next = begin
        while next < position {
            let rows = try store.rows(after: next - 1, bytes: Self.rowBytes)
            let before = next
            for row in rows where next < position {
                row.withUnsafeBytes { look(at: $0, &next, &matches) }
            }
            // What retention has let go meanwhile is not waited for.
            guard next > before else { break }
        }
        found = Array((matches + found).suffix(ExplainedEvent.limit))
        position = begin
    }

    /// - Parameter next: the first event that is wanted; moved past what was looked at.
    private func look(at row: UnsafeRawBufferPointer, _ next: inout UInt64, _ matches: inout [ExplainedEvent]) {
        var entries = EventRow.Reader(row)
        while let entry = entries.next() {
            guard entry.sequence >= next, entry.sequence < position else { continue }
            next = entry.sequence + 1
            if id.elementsEqual(entry.id), device.elementsEqual(entry.device), app.elementsEqual(entry.app) {
                matches.append(ExplainedEvent(entry))
            }
        }
    }
}
