import RationModel
import RationPlanner
import RationWire

/// Where a sender of pushes finds a device: asked on the admin endpoint alone, since no event may hold a token.
extension DecideLoop {
    mutating func answerDevices() {
        for question in mailbox.takeDevices() {
            let addresses = question.recipients.map { recipient in
                decider.core.settings(app: recipient.app, device: recipient.device).map(DeviceAddress.init)
            }
            let answer = Answer(
                address: question.address, name: Array(RequestName.devices.frame.utf8),
                number: question.numberFrame, bodies: [DevicesAnswer(addresses).body])
            say(.answer(answer, .admin))
        }
    }
}

extension DeviceAddress {
    init(_ settings: DeviceSettings) {
        self.init(
            token: settings.token ?? "", isSandbox: settings.environment == "sandbox",
            delivery: settings.delivery ?? .push, registered: settings.registered)
    }
}
