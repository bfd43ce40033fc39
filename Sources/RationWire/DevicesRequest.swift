internal import RationJSON
public import RationModel

/// `devices`, on the admin endpoint only: where pushes for some recipients go (wire.md, "Other queries").
public struct DevicesRequest: Hashable, Sendable {
    public struct Recipient: Hashable, Sendable {
        public var app: String
        public var device: String

        public init(app: String, device: String) {
            (self.app, self.device) = (app, device)
        }

        /// By bytes: texts that Unicode calls equivalent are different names.
        public static func == (left: Recipient, right: Recipient) -> Bool {
            left.device.utf8.elementsEqual(right.device.utf8) && left.app.utf8.elementsEqual(right.app.utf8)
        }

        public func hash(into hasher: inout Hasher) {
            for name in [app, device] {
                var name = name
                name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            }
        }
    }

    public var recipients: [Recipient]

    /// Recipients of one request.
    public static let limit = 1_000

    public init(_ recipients: [Recipient]) {
        self.recipients = recipients
    }

    /// The body of a request.
    public var body: [UInt8] {
        ObjectText.bytes { object in
            object.list("devices", recipients) { recipient, object in
                object.text("app", recipient.app)
                object.text("device", recipient.device)
            }
        }
    }
}

/// What a sender of pushes needs to know of a device. It holds a token: it is printed nowhere.
public struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    /// Empty: the device has told none, or has taken it back.
    public var token: String
    /// The environment of APNs that the token belongs to; production unless the device has said otherwise.
    public var isSandbox: Bool
    public var delivery: Delivery
    /// When the token was told last; nil: not known.
    public var registered: Instant?

    public init(token: String, isSandbox: Bool, delivery: Delivery, registered: Instant?) {
        (self.token, self.isSandbox, self.delivery, self.registered) = (token, isSandbox, delivery, registered)
    }

    /// Without the token.
    public var description: String {
        "a device with \(token.isEmpty ? "no" : "a") token, \(isSandbox ? "sandbox" : "production"), \(delivery.name)"
    }
}

/// The answer to `devices`: one object for each recipient that was asked for, in their order, an empty one for an unknown.
public struct DevicesAnswer: Hashable, Sendable {
    public var addresses: [DeviceAddress?]

    public init(_ addresses: [DeviceAddress?]) {
        self.addresses = addresses
    }

    /// - Parameter count: of the recipients that were asked for.
    public init(body: UnsafeRawBufferPointer, count: Int) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        addresses = answer.elements("devices", Self.address)
        guard addresses.count == count else {
            throw AnswerFault("the answer has \(addresses.count) devices, expected \(count)")
        }
    }

    private static func address(_ value: JSONValue) -> DeviceAddress? {
        guard value.count > 0 else { return nil }
        return DeviceAddress(
            token: value["token"]?.text ?? "", isSandbox: value["environment"]?.text == "sandbox",
            delivery: value["delivery"]?.text == "local" ? .local : .push, registered: value["registered"]?.instant)
    }

    /// The body of an answer.
    public var body: [UInt8] {
        ObjectText.bytes { object in
            object.list("devices", addresses) { address, object in
                guard let address else { return }
                object.texts(
                    ("token", address.token), ("environment", address.isSandbox ? "sandbox" : "production"),
                    ("delivery", "\(address.delivery.name)"), ("registered", address.registered?.rfc3339 ?? ""))
            }
        }
    }
}

extension QueryReader {
    /// The body of `devices`.
    public mutating func devices(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> [DevicesRequest.Recipient] {
        try recipients(body, atMost: DevicesRequest.limit)
    }

    /// The body of `holding`.
    public mutating func holding(_ body: UnsafeRawBufferPointer) throws(RequestFault) -> [DevicesRequest.Recipient] {
        try recipients(body, atMost: HoldingRequest.limit)
    }

    private mutating func recipients(
        _ body: UnsafeRawBufferPointer, atMost limit: Int
    ) throws(RequestFault) -> [DevicesRequest.Recipient] {
        let object = try object(body, fields: ["devices"])
        guard let list = member(object, "devices"), list.kind == .array, list.count <= limit else {
            throw RequestFault(.malformed, "'devices' is not a list of at most \(limit) objects {app, device}")
        }
        var recipients: [DevicesRequest.Recipient] = []
        for element in list.children {
            guard element.kind == .object else {
                throw RequestFault(.malformed, "'devices' has \(element.kindName), expected {app, device}")
            }
            recipients.append(
                DevicesRequest.Recipient(app: try required(element, "app"), device: try required(element, "device")))
        }
        return recipients
    }
}
