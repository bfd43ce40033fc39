import Glibc
import RationModel

/// What a service would do with Redis alone: a script an intent keeps a device's dates in a sorted set of at most 64, what
/// is shown in a hash, and appends an event to a stream.
final class RedisIntents {
    private static let script = """
        redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
        redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
        if redis.call('ZCARD', KEYS[1]) > 64 then
          local last = redis.call('ZPOPMAX', KEYS[1])[1]
          redis.call('HDEL', KEYS[2], last)
          redis.call('XADD', KEYS[3], 'MAXLEN', '~', '1000000', '*', 'kind', 'evicted', 'device', KEYS[1], 'id', last)
          if last == ARGV[1] then return 0 end
        end
        redis.call('XADD', KEYS[3], 'MAXLEN', '~', '1000000', '*', 'kind', 'accepted', 'device', KEYS[1], 'id', ARGV[1],
          'fireDate', ARGV[2])
        return 1
        """

    private let server: RedisServer
    private let population: Population
    private let connections: [RedisConnection]
    private let scriptName: [UInt8]
    private let content = Array(IntentLine.content.utf8)
    /// As many intents under way as a publisher may have.
    private static let window = Limits.publisherWindow * DurableSettings.pack

    init(_ server: RedisServer, recipients: Int, connections count: Int) throws {
        self.server = server
        population = Population(recipients: recipients, pending: 1)
        connections = try (0..<count).map { _ in try RedisConnection(path: server.socketPath) }
        scriptName = try Self.load(connections[0])
    }

    /// - Returns: the name under which Redis keeps the script.
    private static func load(_ connection: RedisConnection) throws -> [UInt8] {
        var lines: [[UInt8]] = []
        // The answer has two lines: its length and the name.
        connection.add(Array("SCRIPT".utf8), Array("LOAD".utf8), Array(script.utf8), answerLines: 2)
        while lines.count < 2 {
            try connection.send()
            try wait(for: [connection])
            try connection.receive { lines.append($0) }
        }
        return Array(lines[1].dropLast())
    }

    /// Gives each recipient one notification; then every answer waits for the disk.
    func fill() throws {
        _ = try seconds(population.recipients) { [population] in population.filling($0) }
        try configure("appendfsync", "always")
    }

    /// - Parameter run: other dates with each.
    func intentsPerSecond(requests: Int, run: Int) throws -> Double {
        let intents = requests * DurableSettings.pack
        let taken = try seconds(intents) { [population] in population.moving($0, seed: UInt64(run + 1)) }
        return Double(intents) / taken
    }

    private func configure(_ name: String, _ value: String) throws {
        let connection = connections[0]
        connection.add(Array("CONFIG".utf8), Array("SET".utf8), Array(name.utf8), Array(value.utf8))
        while connection.underWay > 0 {
            try connection.send()
            try Self.wait(for: [connection])
            try connection.receive()
        }
    }

    /// - Returns: from the first command to the last answer.
    private func seconds(_ count: Int, line: (Int) -> IntentLine) throws -> Double {
        var next = 0
        return try MachineClock.seconds {
            repeat {
                for connection in connections {
                    while next < count, connection.underWay + DurableSettings.pack <= Self.window {
                        let end = min(count, next + DurableSettings.pack)
                        for place in next..<end { add(line(place), to: connection) }
                        next = end
                    }
                    try connection.send()
                }
                try Self.wait(for: connections.filter { $0.underWay > 0 })
                for connection in connections where connection.underWay > 0 { try connection.receive() }
            } while next < count || connections.contains { $0.underWay > 0 }
        }
    }

    private func add(_ line: IntentLine, to connection: RedisConnection) {
        let device = String(line.recipient)
        connection.add(
            Self.evaluate, scriptName, Self.keyCount, Array("p:\(device)".utf8), Array("c:\(device)".utf8),
            Self.events, Array("com.myapp.habitReminder.water.\(line.id)".utf8),
            Array(String(line.date.milliseconds).utf8), content)
    }

    private static let evaluate = Array("EVALSHA".utf8)
    private static let keyCount = Array("3".utf8)
    private static let events = Array("events".utf8)

    /// Until one of them has an answer or takes more commands.
    private static func wait(for connections: [RedisConnection]) throws {
        var items = connections.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN) | ($0.wantsToSend ? Int16(POLLOUT) : 0), revents: 0)
        }
        guard poll(&items, nfds_t(items.count), 60_000) != 0 else { throw BenchmarkError("Redis does not answer") }
    }
}
