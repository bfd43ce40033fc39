internal import RationModel
internal import RationSQLite

/// What has ended a notification, or may have.
struct Ending {
    /// Which of the requests that asked for it this is about.
    enum Subject {
        case request(UInt64)
        /// Those that were decided before this batch.
        case before(batch: UInt64)
    }

    var app: String
    var device: String
    var id: String
    var standing: PublishedNotification.Standing
    var subject: Subject
    /// Whether it was rejected: what it should have replaced stands then.
    var isRejection = false
}

extension SchedulerState {
    /// Takes note of endings; those of what is not known, of another request or of a notification that has ended before
    /// change nothing. Inside a transaction.
    func apply(_ endings: [Ending]) throws(SQLiteError) {
        var start = 0
        while start < endings.count {
            // Neighbours are mostly of one recipient, as the broker and the scheduler go by recipients.
            var end = start + 1
            while end < endings.count, endings[end].isOfRecipient(of: endings[start]) { end += 1 }
            try apply(endings[start..<end])
            start = end
        }
    }

    private func apply(_ endings: ArraySlice<Ending>) throws(SQLiteError) {
        guard let first = endings.first, let known = try find(first.app, first.device) else { return }
        var published = try published(known.key)
        var (isChanged, wake) = (false, Instant.distantFuture)
        for ending in endings {
            guard let index = published.place(of: ending.id), isAbout(published[index], ending.subject) else {
                continue
            }
            published[index].standing = ending.standing
            isChanged = true
            if !ending.isRejection {
                published[index].replacesAnother = false
            } else if published[index].replacesAnother {
                wake = .distantPast
            }
            if case .refused(let until) = ending.standing { wake = min(wake, until) }
        }
        guard isChanged else { return }
        try put(published.packed(), known.key)
        if wake < known.next { try self.wake(first.app, first.device, at: wake) }
    }

    private func isAbout(_ notification: PublishedNotification, _ subject: Ending.Subject) -> Bool {
        guard notification.standing == .pending else { return false }
        return switch subject {
        case .request(let request): notification.request == request
        case .before(let batch): batches[notification.request] ?? 0 < batch
        }
    }
}

extension Ending {
    fileprivate func isOfRecipient(of other: Ending) -> Bool {
        app.utf8.elementsEqual(other.app.utf8) && device.utf8.elementsEqual(other.device.utf8)
    }
}

extension [PublishedNotification] {
    /// The place of an id among those that are sorted by the ids' bytes.
    func place(of id: String) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].id.utf8.lexicographicallyPrecedes(id.utf8) { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].id.utf8.elementsEqual(id.utf8) ? low : nil
    }
}
