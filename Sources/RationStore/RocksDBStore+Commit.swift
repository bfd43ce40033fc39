internal import RationModel
internal import RationRocksDB
import Synchronization

extension RocksDBStore {
    public func commit(_ commit: consuming Commit) throws {
        let commit = commit
        try writing.withLock { writing in
            let change = try prepare(commit, flushed: writing.logs.flushed)
            let moved = try movedBlocks(commit)
            fill(&writing.batch, commit, change)
            fill(&writing.batch, moved, commit)
            try write(&writing, change.link) { $0.apply(change) }
            blocks.withLock { $0.remove(hours: commit.emptyHours) }
            writing.bytesSinceTrim += commit.contents.count + commit.outcomes.count + commit.events.count
            committedBytes.wrappingAdd(UInt64(commit.rowBytes), ordering: .relaxed)
            try trim(&writing, change.link)
        }
        _ = hasRoom
    }

    private func prepare(_ commit: borrowing Commit, flushed: UInt64) throws -> BatchChange {
        // Only the committing thread changes the state.
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        requireOrder(commit, lastBatch: state.link.batch, lastSequence: state.link.lastSequence)
        return BatchChange(commit, after: state, flushed: flushed)
    }

    private func fill(_ batch: inout RocksBatch, _ commit: borrowing Commit, _ change: BatchChange) {
        batch.removeAll()
        let key = NumberKey.bytes(commit.batch)
        batch.put(.links, key, change.link.bytes)
        if !commit.intents.isEmpty { batch.put(.intents, key, head: change.intentsHead, body: commit.intents) }
        if !commit.outcomes.isEmpty { batch.put(.outcomes, key, head: change.outcomesHead, body: commit.outcomes) }
        if let head = change.eventsHead {
            batch.put(.events, NumberKey.bytes(commit.firstSequence), head: head, body: commit.events)
        }
        for record in commit.records {
            if record.bytes.isEmpty {
                batch.delete(StoreFamily.records.rawValue, record.key)
            } else {
                batch.putSealed(.records, record.key, batch: commit.batch, record.bytes)
            }
        }
        if let segments = change.segments { fill(&batch, segments, batch: commit.batch) }
        fill(&batch, change.publishers, batch: commit.batch)
        if let forgetting = change.forgetting {
            batch.putSealed(.state, StateKey.forgetting(forgetting), batch: commit.batch, forgetting.bytes)
        }
    }

    /// The batch's own contents, and those that the checkpoint takes along.
    private func fill(
        _ batch: inout RocksBatch, _ moved: MovedBlocks, _ commit: borrowing Commit
    ) {
        for offset in stride(from: 0, to: commit.contents.count, by: ContentPosition.batchBlockBytes) {
            let end = min(offset + ContentPosition.batchBlockBytes, commit.contents.count)
            let first = ContentPosition(batch: commit.batch, offset: offset)
            batch.putSealed(.batchContents, first.key, batch: commit.batch, Array(commit.contents[offset..<end]))
        }
        for hour in commit.emptyHours {
            let positions = ContentPosition.positions(ofHour: hour)
            // The key that follows the last, also where no number does.
            batch.deleteRange(
                StoreFamily.hourContents.rawValue, NumberKey.bytes(positions.lowerBound),
                NumberKey.bytes(positions.upperBound) + [0])
        }
        for block in moved.blocks {
            batch.putSealed(.hourContents, block.first.key, batch: commit.batch, block.bytes)
        }
    }

    private func fill(_ batch: inout RocksBatch, _ change: EventSegments.Change, batch number: UInt64) {
        if let opened = change.opened {
            batch.putSealed(.state, StateKey.segment(opened.first), batch: number, opened.bytes)
        }
        for segment in change.dropped { batch.delete(StoreFamily.state.rawValue, StateKey.segment(segment.first)) }
    }

    private func fill(_ batch: inout RocksBatch, _ change: PublisherTable.Change, batch number: UInt64) {
        for row in change.rows {
            batch.putSealed(.publishers, row.name.bytes, batch: number, row.publisher.bytes)
            guard let first = row.answers.first else { continue }
            batch.putSealed(
                .answers, StateKey.answers(of: row.name, from: first.number), batch: number,
                AnswersRow.bytes(row.answers))
            for chunk in row.dropped { batch.deleteAnswers(of: row.name, chunk) }
        }
        for (name, publisher) in change.forgotten {
            batch.delete(StoreFamily.publishers.rawValue, name.bytes)
            for chunk in publisher.chunks { batch.deleteAnswers(of: name, chunk) }
        }
    }

    public func commit(_ revision: StoredRevision) throws {
        try writing.withLock { writing in
            let state = state.withLock { $0 }
            if let failure = state.failure { throw failure }
            let ofKind = state.revisions(of: revision.kind)
            requireOrder(
                revision, last: ofKind.last?.number ?? 0, lastBatch: state.link.batch,
                lastSequence: state.link.lastSequence)
            // The last link is written anew with its count, so that the next link tells when a revision is lost.
            var link = state.link
            link.revisions += 1
            writing.batch.removeAll()
            writing.batch.put(.links, NumberKey.bytes(link.batch), link.bytes)
            writing.batch.putSealed(.state, StateKey.revision(revision), batch: link.batch, revision.bytes)
            let oldest = ofKind.count >= MemoryStore.revisionLimit ? ofKind.first : nil
            if let oldest { writing.batch.delete(StoreFamily.state.rawValue, StateKey.revision(oldest)) }
            try write(&writing, link) { state in
                state.link = link
                state.revisions.removeAll { $0.kind == oldest?.kind && $0.number == oldest?.number }
                state.revisions.append(revision)
            }
        }
    }

    /// Writes what `writing.batch` holds, and then shows it.
    private func write(
        _ writing: inout Writing, _ link: BatchLink, show: (inout StoreState) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try rocks { () throws(RocksError) in try database.write(writing.batch, isSynced: true) }
            try writing.acknowledged.write(Acknowledged(link, writing.manifest))
        } catch {
            let failed = StoreError(
                error.code, path: error.path,
                "batch \(link.batch) may be written or not: \(error.message)")
            fail(failed)
            throw failed
        }
        state.withLock { show(&$0) }
    }

    /// Lets go of the files that hold nothing that is needed, from time to time.
    private func trim(_ writing: inout Writing, _ link: BatchLink) throws(StoreError) {
        guard writing.bytesSinceTrim >= settings.memtableBytes / 4 else { return }
        writing.bytesSinceTrim = 0
        do throws(StoreError) {
            writing.manifest = try Manifest(in: folder.database, known: writing.manifest, on: folder.disk)
            try writing.logs.look(next: link.batch + 1)
            for (family, first) in [
                (StoreFamily.links, link.firstLink), (.intents, link.firstNeeded), (.outcomes, link.firstNeeded),
                (.batchContents, ContentPosition(batch: link.firstNeeded, offset: 0).rawValue), (.events, range.first),
            ] where first > 0 {
                try rocks { () throws(RocksError) in
                    try database.dropFiles(of: family.rawValue, upTo: NumberKey.bytes(first - 1))
                }
            }
        } catch {
            fail(error)
            throw error
        }
    }
}

extension RocksBatch {
    fileprivate mutating func put(_ family: StoreFamily, _ key: [UInt8], _ value: [UInt8]) {
        put(family.rawValue, key, value)
    }

    fileprivate mutating func put(_ family: StoreFamily, _ key: [UInt8], head: [UInt8], body: [UInt8]) {
        put(family.rawValue, key, head: head, body: body)
    }

    mutating func putSealed(_ family: StoreFamily, _ key: [UInt8], batch: UInt64, _ body: [UInt8]) {
        put(family.rawValue, key, head: SealedValue.head(key: key, batch: batch, body: body).bytes, body: body)
    }

    fileprivate mutating func deleteAnswers(of publisher: PublisherName, _ chunk: PublisherTable.Chunk) {
        delete(StoreFamily.answers.rawValue, StateKey.answers(of: publisher, from: chunk.first))
    }
}
