internal import RationJSON

extension RequestFault {
    /// The body of an error's answer.
    public var body: [UInt8] {
        var writer = JSONWriter(capacity: 128)
        var members = MemberWriter()
        members.text("code", code.rawValue, to: &writer)
        members.text("message", message, to: &writer)
        if let expected { members.integer("expected", Int64(truncatingIfNeeded: expected), to: &writer) }
        if !faults.isEmpty {
            members.name("faults", to: &writer)
            DocumentProblem.write(faults, to: &writer)
        }
        members.end(&writer)
        return writer.bytes
    }

    /// Reads the body of an error's answer.
    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        let name = try answer.text("code")
        guard let code = Code(rawValue: name) else {
            throw AnswerFault("the broker answers an unknown error '\(name)'")
        }
        self.init(
            code, answer.optionalText("message") ?? "", expected: try answer.optionalUnsigned("expected"),
            faults: answer.elements("faults") { DocumentProblem($0) })
    }
}
