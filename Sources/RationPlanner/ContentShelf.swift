import RationModel

/// Where contents stand that a store keeps: how many are still pending of each hour's, so that an hour's blocks can go with
/// the last, and where the checkpoint puts those that it takes along.
struct ContentShelf {
    private struct Hour {
        /// Contents that pending notifications name.
        var pending = 0
        /// Blocks that have been begun.
        var blocks: UInt32 = 0
    }

    /// The batch whose contents are named by their place in it; nil where records hold contents themselves.
    var batch: UInt64?
    /// Off while something is tried, or a state is made again.
    var isCounting = true
    /// Only looked up.
    private var hours: [UInt32: Hour] = [:]
    /// Of the part of the checkpoint at hand: where each hour's block ends.
    private var open: [UInt32: Int] = [:]
    private(set) var moves: [ContentMove] = []
    /// Hours that may have become empty since they were last taken.
    private var candidates: [UInt32] = []

    /// Counts contents that pending notifications name.
    mutating func add(_ counts: HourCounts.Count) {
        guard counts.pending > 0 else { return }
        var hour = hours[counts.hour] ?? Hour()
        hour.pending += counts.pending
        hour.blocks = max(hour.blocks, counts.blocks)
        hours[counts.hour] = hour
    }

    /// One is named no more.
    mutating func remove(_ position: ContentPosition) {
        guard isCounting, let hour = position.hour, let pending = hours[hour]?.pending else { return }
        hours[hour]?.pending = pending - 1
        if pending == 1 { candidates.append(hour) }
    }

    /// Starts a part of the checkpoint: what it takes along goes into blocks of its own.
    mutating func beginMoves() {
        open.removeAll(keepingCapacity: true)
        moves.removeAll(keepingCapacity: true)
    }

    /// Finds a content a place in an hour in which it does not stand yet, and notes the move.
    mutating func move(_ content: StoredContent, to hour: UInt32) -> ContentPosition {
        var end = open[hour] ?? ContentPosition.blockBytes
        if end + content.count > ContentPosition.blockBytes {
            hours[hour, default: Hour()].blocks += 1
            end = 0
        }
        // Before the last place: a block has been begun.
        let block = (hours[hour]?.blocks ?? 1) - 1
        let position = ContentPosition(hour: hour, block: block, offset: end)
        open[hour] = end + content.count
        hours[hour]?.pending += 1
        remove(content.position)
        moves.append(ContentMove(from: content.position, to: position, count: content.count))
        return position
    }

    /// The hours that have become empty: nothing names their blocks any more. Ascending.
    mutating func takeEmptyHours() -> [UInt32] {
        let empty = Set(candidates).filter { hours[$0]?.pending == 0 }.sorted()
        candidates.removeAll(keepingCapacity: true)
        for hour in empty { hours[hour] = nil }
        return empty
    }
}

/// Counts the contents of many notifications by their hour: most of millions lie in the same few hundred hours, and a place
/// in an array is found sooner than one in a dictionary.
struct HourCounts {
    struct Count {
        var hour: UInt32 = 0
        var pending = 0
        /// Blocks that have been begun, as far as these contents tell.
        var blocks: UInt32 = 0
    }

    /// By the lowest bits of their hour: about six weeks.
    private var counts = [Count](repeating: Count(), count: 1 << 10)

    /// Counts one that a pending notification names.
    /// - Parameter shelf: gets what another hour has to make room for.
    mutating func add(_ position: ContentPosition, to shelf: inout ContentShelf) {
        guard case .hour(let hour, let block, _) = position.place else { return }
        let place = Int(hour) & (counts.count - 1)
        if counts[place].hour != hour {
            shelf.add(counts[place])
            counts[place] = Count(hour: hour)
        }
        counts[place].pending += 1
        counts[place].blocks = max(counts[place].blocks, block + 1)
    }

    /// Gives all that was counted to the shelf.
    consuming func finish(_ shelf: inout ContentShelf) {
        for count in counts { shelf.add(count) }
    }
}

extension RecipientPlanner {
    /// Gives up the record of a notification that was pending.
    mutating func drop(_ notification: PendingNotification, of recipient: inout Recipient) {
        let record = recipient.record(notification)
        recipient.unusedBytes += UInt32(record.byteCount)
        guard recipient.hasStoredContents, !record.content.isEmpty else { return }
        contents.remove(StoredContent(recipient.bytes.view(record.content)).position)
    }
}
