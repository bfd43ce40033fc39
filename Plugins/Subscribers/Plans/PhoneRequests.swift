internal import RationWire
internal import Synchronization

/// What phones have asked for, on its way from the server's thread to the subscriber's.
final class PhoneRequests: Sendable {
    /// What a phone has asked for last.
    struct Asked: Sendable {
        /// The revision that it has said it has; nil for none.
        var has: PlanRevision?
        /// The revision that it was answered with; nil for an unknown device, and where nobody was given a body.
        var told: PlanRevision?
        /// Whether there is nothing in its plan.
        var isEmpty: Bool
    }

    private let asked = Mutex<[DevicesRequest.Recipient: Asked]>([:])

    /// Devices of which it is remembered; of further ones it is not known that they have asked.
    static let limit = 10_000

    func note(_ recipient: DevicesRequest.Recipient, _ what: Asked) {
        asked.withLock { asked in
            guard asked.count < Self.limit || asked[recipient] != nil else { return }
            asked[recipient] = what
        }
    }

    /// By (app, device).
    func take() -> [(recipient: DevicesRequest.Recipient, asked: Asked)] {
        let taken = asked.withLock { asked in
            defer { asked.removeAll(keepingCapacity: true) }
            return asked
        }
        return taken.sorted { left, right in
            let (leftApp, rightApp) = (left.key.app.utf8, right.key.app.utf8)
            return leftApp.elementsEqual(rightApp)
                ? left.key.device.utf8.lexicographicallyPrecedes(right.key.device.utf8)
                : leftApp.lexicographicallyPrecedes(rightApp)
        }.map { ($0.key, $0.value) }
    }
}
