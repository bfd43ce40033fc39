import RationModel
import RationWire
import TestSupport

@testable import RationBroker
@testable import RationBus

/// A publisher: `PublishingClient` with its window and outbox, and connections that are simulated.
final class SimulatedPublisher {
    private enum Phase {
        case resting(until: Int64)
        case greeting(Link, deadline: Int64)
        case ready(Link)
    }

    /// Empty for one without a name.
    let name: String
    private let clock: SimulatedClock
    private let context: Context
    private let outbox = MemoryOutbox()
    private var client: PublishingClient
    private var phase = Phase.resting(until: 0)
    private var workload: Workload
    /// What was submitted and has no answer, by the number under which the answer comes.
    private var requests: [UInt64: [UInt8]] = [:]

    init(name: String, place: Int, clock: SimulatedClock, context: Context, seed: UInt64) throws {
        (self.name, self.clock, self.context) = (name, clock, context)
        workload = Workload(publisher: name.isEmpty ? "unnamed" : name, place: place)
        client = try Self.client(name, outbox, clock, context, seed)
    }

    private static func client(
        _ name: String, _ outbox: MemoryOutbox, _ clock: SimulatedClock, _ context: Context, _ seed: UInt64
    ) throws -> PublishingClient {
        var options = PublishingClient.Options()
        options.window = 12
        options.deadlineMilliseconds = 3_000
        return try PublishingClient(
            endpoint: "simulated", publisher: name, outbox: outbox, in: context, options: options, clock: clock,
            random: SplitMix64(seed: seed))
    }

    var isDrained: Bool { client.isDrained }

    /// Stores a request, to be sent when its turn comes.
    func submit(_ book: inout Book, _ random: inout SplitMix64) throws {
        guard client.hasRoom else { return }
        let (body, lines) = workload.request(&random)
        book.submit(body, lines)
        let number = client.window.nextNumber
        if !name.isEmpty { outbox.store(number: number, body: body) }
        client.window.append(body)
        requests[number &+ client.numberOffset] = body
    }

    /// The process is killed and starts again; what is stored is all that stays.
    func die(_ random: inout SplitMix64) throws {
        switch phase {
        case .resting: break
        case .greeting(let link, _), .ready(let link): link.close(&random)
        }
        phase = .resting(until: 0)
        client = try Self.client(name, outbox, clock, context, random.next())
        if name.isEmpty { requests = [:] }
    }

    /// Does what can be done now.
    func turn(_ network: inout Network, _ book: inout Book, _ random: inout SplitMix64) throws {
        switch phase {
        case .resting(let time):
            guard clock.milliseconds >= time, let link = network.connect() else { return }
            link.send(.hello(publisher: name))
            phase = .greeting(link, deadline: clock.milliseconds + client.options.deadlineMilliseconds)
        case .greeting(let link, let deadline): try greet(link, deadline, &random)
        case .ready(let link): try exchange(link, &random)
        }
        try handOn(&book)
    }

    private func greet(_ link: Link, _ deadline: Int64, _ random: inout SplitMix64) throws {
        while let answer = link.receive() {
            let body = Array(answer.bodies.joined())
            let hello = try body.withUnsafeBytes { try Hello(body: $0) }
            if !name.isEmpty { try client.reconcile(with: hello) }
            phase = .ready(link)
            return
        }
        if link.isLost || clock.milliseconds >= deadline { reconnect(link, &random) }
    }

    private func exchange(_ link: Link, _ random: inout SplitMix64) throws {
        let now = clock.milliseconds
        while let answer = link.receive() {
            let body = Array(answer.bodies.joined())
            guard let number = UInt64(String(decoding: answer.number, as: UTF8.self)), client.window.isUnderWay(number)
            else { continue }
            let goesOn = try answer.name.withUnsafeBytes { name in
                try body.withUnsafeBytes { try client.take(AnswerFrames(name: name, number: number, body: $0), now) }
            }
            guard goesOn else { return reconnect(link, &random) }
        }
        try client.handOnFinished()
        if link.isLost || now >= client.window.earliestDeadline ?? .max { return reconnect(link, &random) }
        guard now >= client.pausedUntil else { return }
        while let number = client.window.nextWaiting(within: client.brokerWindow) {
            link.send(.publish(publisher: name, number: number, body: client.window.body(of: number)))
            client.window.markSent(number, deadline: now + client.options.deadlineMilliseconds)
        }
    }

    private func reconnect(_ link: Link, _ random: inout SplitMix64) {
        link.close(&random)
        client.window.loseConnection { number, answer in
            name.isEmpty ? answer ?? .unknown(number: number &+ client.numberOffset) : nil
        }
        _ = client.window.takeFinished(into: &client.answers)
        client.pausedUntil = .min
        phase = .resting(until: clock.milliseconds + client.backoff.fail(&random))
    }

    /// Notes what became of requests.
    private func handOn(_ book: inout Book) throws {
        for answer in client.answers {
            guard let request = requests.removeValue(forKey: answer.number) else {
                throw Breach("'\(name)' got a second answer to \(answer.number)")
            }
            switch answer {
            case .acknowledgement(let committed): try book.answer(committed.body, to: request)
            case .alreadyCommitted(let number): throw Breach("'\(name)' was told that \(number) was committed long ago")
            case .refusal(_, let fault): try book.refuse(request, fault)
            case .unknown: break
            }
        }
        client.answers = []
    }
}
