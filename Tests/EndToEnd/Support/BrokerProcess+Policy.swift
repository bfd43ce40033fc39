import TestProcesses
import Testing

/// What the tests of policies ask of a broker.
extension BrokerProcess {
    /// The answer to a request on the admin endpoint.
    func askPolicy(_ body: String, _ location: SourceLocation = #_sourceLocation) throws -> Answer {
        try Client(self, to: admin).ask("policy", body, location)
    }

    /// Replaces the policy by a JSON object.
    func replacePolicy(by policy: String, _ location: SourceLocation = #_sourceLocation) throws -> JSON {
        let answer = try askPolicy(#"{"do":"replace","policy":\#(policy)}"#, location)
        try #require(answer.name == "ration/1 policy", "\(answer.text)", sourceLocation: location)
        return answer.body
    }

    /// Waits until no recipient is planned under an earlier revision.
    func waitUntilReplanned(_ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Deadline(milliseconds: 3 * Deadline.standardMilliseconds)
        while try status(location)["replanBacklogRecipients"] != 0 {
            try deadline.require("all recipients are replanned", location)
        }
    }

    /// The last revision of the policy.
    func policyRevision(_ location: SourceLocation = #_sourceLocation) throws -> Int? {
        try status(location)["policyRevision"]?.integer
    }
}

extension JSON {
    /// An event's data.
    var data: JSON { self["data"] ?? .null }
}
