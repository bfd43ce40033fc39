import RationModel

/// A recipient's first batch under another policy or tz database.
extension RecipientPlanner {
    /// Finds the recipient's place in the policy in force: the types of what is pending and of what has fired, its rules
    /// and the dates of what floats.
    mutating func revise(_ recipient: inout Recipient, events: inout EventBuffer) {
        let earlier = policy(of: recipient)
        let isElsewhere = zones.isChanged(recipient.zone, since: recipient.revision)
        recipient.revision = revision
        isChanged = true
        isRevised = true
        for index in recipient.pending.indices {
            let type = reviseType(ofPending: index, from: earlier.types, &recipient)
            recipient.pending[index].typeIndex = type
            recipient.pending[index].priority = policy.types.priority(type)
            recipient.pending[index].flags.remove(.keepsTime)
            if policy.types.keepsTime(type) { recipient.pending[index].flags.insert(.keepsTime) }
            // What is told of it as it was is told in the words of the policy in force.
            before[index] = recipient.pending[index]
        }
        for index in recipient.history.indices { recipient.reviseHistory(index, from: earlier.types, to: policy.types) }
        if let settings = recipient.settings {
            recipient.settings = StoredSettings(settings.value, rules: rules(for: settings.value))
        }
        if isElsewhere { matchFloating(&recipient, events: &events) }
    }

    /// Finds the type of a pending one in the policy in force.
    private func reviseType(
        ofPending index: Int, from earlier: PolicyTypes, _ recipient: inout Recipient
    ) -> TypeIndex {
        let notification = recipient.pending[index]
        let record = recipient.record(notification)
        guard notification.has(.ownTypeIsNamed) else {
            return policy.types.classify(
                type: recipient.bytes.view(record.type), id: recipient.bytes.view(record.id))
        }
        let type = earlier.withName(notification.typeIndex, own: .none) { policy.types.index(ofType: $0) }
        if type == PolicyTypes.unnamed {
            let start = earlier.withName(notification.typeIndex, own: .none) { name in
                Record.copyWithType(name, of: notification, in: &recipient.bytes)
            }
            recipient.unusedBytes += UInt32(record.byteCount)
            recipient.pending[index].record = start
            recipient.pending[index].flags.remove(.ownTypeIsNamed)
        }
        return type
    }
}

extension Recipient {
    /// Finds the type of what has fired in another policy.
    fileprivate mutating func reviseHistory(_ index: Int, from earlier: PolicyTypes, to types: PolicyTypes) {
        let entry = history[index]
        let type = earlier.withName(entry.typeIndex, own: bytes.view(entry.type)) { types.index(ofType: $0) }
        if type == PolicyTypes.unnamed, entry.typeIndex != PolicyTypes.unnamed {
            history[index].type = earlier.withName(entry.typeIndex, own: bytes.view(entry.type)) { name in
                bytes.append(name)
            }
            unusedBytes += entry.type.count
        }
        history[index].typeIndex = type
    }
}
