import RationModel

/// An intent's category beside what its device has registered: the phone shows a notification of another category without
/// its buttons, and the intent is applied nevertheless.
extension RecipientPlanner {
    /// Warns of a category that the device, as it stands when the intent is applied, has not registered. A device that has
    /// told no categories is not looked at.
    func warnOfCategory(
        _ index: Int, of batch: borrowing IntentBatch, from source: UnsafeRawBufferPointer,
        _ recipient: borrowing Recipient, _ decision: inout Decision
    ) {
        let range = batch.intents[index].category
        guard !range.isEmpty, let registered = recipient.settings?.value.categories else { return }
        let category = source.view(range)
        guard !registered.contains(where: { $0.isSame(as: category) }) else { return }
        let name = String(decoding: category, as: UTF8.self)
        decision.warnings.append(
            IntentWarning(
                .unregisteredCategory, intent: index,
                Rejection(.contentCategory, field: "content.category", Self.words(name, registered))))
    }

    private static func words(_ name: String, _ registered: [String]) -> String {
        let start = "the device has registered no category '\(name.shortened)'"
        let folded = NearestName.folded(name)
        if let near = registered.first(where: { NearestName.folded($0) == folded }) {
            return "\(start), but '\(near.shortened)'; categories are compared byte for byte"
        }
        switch registered.count {
        case 0: return "\(start), nor any other"
        case 1: return "\(start), but '\(registered[0].shortened)'"
        case let count: return "\(start), but \(count) others"
        }
    }
}

extension String {
    fileprivate func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
        utf8.count == bytes.count && utf8.elementsEqual(bytes)
    }
}
