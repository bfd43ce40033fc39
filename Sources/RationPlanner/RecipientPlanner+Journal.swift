import RationModel

/// What a batch has changed of the recipient at hand.
extension RecipientPlanner {
    /// Tells a recipient that was planned, before what its entries say of the batch is forgotten.
    mutating func journalPlanned(_ recipient: borrowing Recipient) {
        guard journal.isOn else { return }
        // What was rewritten before the batch was copied cannot be told as a change.
        guard !isRevised, !journal.needsImage else { return journal.putImage(recipient) }
        journal.putHead(recipient, .change)
        for notification in recipient.pending.elements {
            let place = Int(notification.before)
            if notification.before == PendingNotification.absentBefore || notification.has(.replaced) {
                journal.put(notification, recipient)
            } else if notification.isAsBefore(before[place]) {
                journal.copy(place..<place + 1)
            } else {
                journal.change(from: place, notification, recipient)
            }
        }
        journal.endRun()
        journal.putTail(recipient, .change)
    }

    /// Tells a recipient of which only its numbers or settings have changed.
    mutating func journalNamed(_ recipient: borrowing Recipient) {
        guard journal.isOn else { return }
        journal.putHead(recipient, .change)
        journal.copy(recipient.pending.indices)
        journal.endRun()
        journal.putTail(recipient, .change)
    }

    /// Tells a recipient whose only intent was planned alone.
    /// - Parameters:
    ///   - place: where the one that went stood; nil: none went.
    ///   - target: where the new one stands; nil: there is none.
    ///   - border: which of the others has got or lost its slot.
    mutating func journalSingle(
        _ recipient: borrowing Recipient, replacing place: Int?, target: Int?, border: Int?
    ) {
        guard journal.isOn else { return }
        journal.begin(recipient)
        journal.putHead(recipient, .change)
        let others = recipient.pending.count - (target == nil ? 0 : 1)
        journalOthers(0..<(target ?? others), recipient, replacing: place, target: target, border: border)
        if let target {
            journal.put(recipient.pending[target], recipient)
            journalOthers(target..<others, recipient, replacing: place, target: target, border: border)
        }
        journal.endRun()
        journal.putTail(recipient, .change)
    }

    /// - Parameter range: among the others, in their new order.
    private mutating func journalOthers(
        _ range: Range<Int>, _ recipient: borrowing Recipient, replacing place: Int?, target: Int?, border: Int?
    ) {
        guard let border, range.contains(border) else { return copyOthers(range, without: place) }
        copyOthers(range.lowerBound..<border, without: place)
        let isBehindNew = target.map { $0 <= border } ?? false
        journal.change(
            from: placeBefore(ofOther: border, without: place), recipient.pending[border + (isBehindNew ? 1 : 0)],
            recipient)
        copyOthers(border + 1..<range.upperBound, without: place)
    }

    private func placeBefore(ofOther other: Int, without place: Int?) -> Int {
        guard let place, other >= place else { return other }
        return other + 1
    }

    private mutating func copyOthers(_ range: Range<Int>, without place: Int?) {
        guard let place, range.upperBound > place else { return journal.copy(range) }
        guard range.lowerBound < place else { return journal.copy(range.lowerBound + 1..<range.upperBound + 1) }
        journal.copy(range.lowerBound..<place)
        journal.copy(place + 1..<range.upperBound + 1)
    }
}

extension PendingNotification {
    /// Whether one that was not replaced is as it was, with its record.
    fileprivate func isAsBefore(_ before: PendingNotification) -> Bool {
        fireDate == before.fireDate && requestedDate == before.requestedDate && priority == before.priority
            && typeIndex == before.typeIndex && !has(.hasPassedRoom) && !has(.recurred)
            && flags.subtracting(.ofBatch) == before.flags.subtracting(.ofBatch)
    }
}
