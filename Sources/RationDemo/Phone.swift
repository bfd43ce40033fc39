/// An installation as the broker is told of it.
struct Phone: Hashable {
    var app: String
    var device: String
    var zone: String
    var token: String
    /// Whether it holds its plan and fires by itself.
    var holdsPlan: Bool
    /// Slots that other code has taken.
    var reserved: Int
}

extension Phone {
    init(_ person: Person) {
        self.init(
            app: person.app, device: person.device, zone: person.clock.zone, token: person.token,
            holdsPlan: person.holdsPlan, reserved: person.reserved)
    }
}
