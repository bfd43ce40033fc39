import RationBroker
import TestSupport

@testable import RationBroker

/// A request on its way.
enum WireRequest {
    case hello(publisher: String)
    case publish(publisher: String, number: UInt64, body: [UInt8])
    case read(number: UInt64, body: [UInt8])
}

/// One connection of a client: what is sent arrives in order, late, or, from some point on, never.
final class Link {
    let number: UInt64
    fileprivate(set) var requests: [WireRequest] = []
    fileprivate(set) var answers: [Answer] = []
    /// The client has been told that the connection is gone.
    fileprivate(set) var isLost = false

    fileprivate init(number: UInt64) {
        self.number = number
    }

    func send(_ request: WireRequest) {
        if !isLost { requests.append(request) }
    }

    func receive() -> Answer? { answers.isEmpty ? nil : answers.removeFirst() }

    /// The client lets go of it: the last of what it has sent may be lost, the rest arrives whenever it does.
    func close(_ random: inout SplitMix64) {
        isLost = true
        requests.removeLast(Int(random.next() % UInt64(requests.count + 1)))
        answers = []
    }
}

/// The connections to the broker's process that runs now.
struct Network {
    private(set) var links: [Link] = []
    private var made: UInt64 = 0
    var isBrokerUp = false

    /// - Returns: nil while nobody listens.
    mutating func connect() -> Link? {
        guard isBrokerUp else { return nil }
        made += 1
        let link = Link(number: made)
        links.append(link)
        return link
    }

    /// Takes the next request of a connection that has one.
    mutating func arrival(_ random: inout SplitMix64) -> (request: WireRequest, link: Link)? {
        links.removeAll { $0.isLost && $0.requests.isEmpty }
        let waiting = links.filter { !$0.requests.isEmpty }
        guard !waiting.isEmpty else { return nil }
        let link = waiting[Int(random.next() % UInt64(waiting.count))]
        return (link.requests.removeFirst(), link)
    }

    /// Sends an answer to the connection that its address names; dropped if that is gone.
    func send(_ answer: Answer) {
        guard let link = links.first(where: { Self.address($0).frames == answer.address.frames }), !link.isLost else {
            return
        }
        link.answers.append(answer)
    }

    static func address(_ link: Link) -> ReplyAddress {
        ReplyAddress(frames: [withUnsafeBytes(of: link.number.bigEndian) { Array($0) }])
    }

    /// Ends a connection: of what is under way a part arrives.
    func lose(_ link: Link, _ random: inout SplitMix64) {
        guard !link.isLost else { return }
        link.answers.removeLast(Int(random.next() % UInt64(link.answers.count + 1)))
        link.requests.removeLast(Int(random.next() % UInt64(link.requests.count + 1)))
        link.isLost = true
    }

    /// The broker's process has ended, and all its connections with it.
    mutating func loseAll(_ random: inout SplitMix64) {
        for link in links {
            lose(link, &random)
            link.requests = []
        }
        links = []
        isBrokerUp = false
    }
}
