import APNsSubscriber
import Foundation
import RationES256
import RationHTTP2Client
import RationModel
import RationWire

/// Pushes a second over one connection to nghttpd, beside what h2load reaches with the same requests. The two take turns, so
/// that what disturbs the machine disturbs both.
struct APNsBenchmark {
    struct Settings {
        var pushes = 100_000
        var streams = 100
        var runs = 5
    }

    static let app = "com.example.habits"
    /// Of the pushes that are handed over at once, as a page of events.
    static let page = 10_000
    static let token = String(repeating: "a", count: 64)

    let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func run() throws {
        let folder = NSTemporaryDirectory() + "/ration-bench-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try prepare(folder)
        let port = 20_000 + Int(getpid()) % 10_000
        let server = try Child(
            Self.program("nghttpd"),
            ["-d", folder, "-m", "\(settings.streams)", "\(port)", "\(folder)/tls.key", "\(folder)/tls.pem"],
            isRead: false)
        defer { server.end() }
        let origin = "https://localhost:\(port)"
        try waitFor(origin, folder)
        var (alone, pushed, whole): ([Double], [Double], [Double]) = ([], [], [])
        var processor = 0.0
        for run in 0..<settings.runs {
            let pushes = try pushes(run)
            alone.append(try load(origin, pushes[0], folder))
            let before = Self.processorSeconds
            pushed.append(try send(origin, pushes, folder))
            processor += Self.processorSeconds - before
            whole.append(try handle(origin, pushes, folder))
        }
        print(text(alone, pushed, whole, microseconds: processor * 1e6 / Double(settings.runs * settings.pushes)))
    }

    /// A certificate, a key of Apple's kind, and an empty file where the pushes go, so that they are answered as Apple does: with
    /// 200 and nothing more.
    private func prepare(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/3/device", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(folder)/3/device/\(Self.token)"))
        let curve = "ec_paramgen_curve:prime256v1"
        let (key, certificate) = ("\(folder)/tls.key", "\(folder)/tls.pem")
        try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", curve, "-out", "\(folder)/key.p8")
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", curve, "-nodes", "-keyout", key, "-out", certificate, "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        chmod("\(folder)/key.p8", 0o600)
    }

    private func openssl(_ arguments: String...) throws {
        let process = try Child("/usr/bin/openssl", arguments)
        guard process.wait() == 0 else { throw BenchmarkError("openssl \(arguments) has failed") }
    }

    private static func program(_ name: String) throws -> String {
        let paths: [String] = ["/usr/sbin/\(name)", "/usr/bin/\(name)"]
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
            throw BenchmarkError("there is no \(name): deploy/setup installs it")
        }
        return path
    }

    private func waitFor(_ origin: String, _ folder: String) throws {
        for _ in 0..<100 {
            if try send(origin, [push(0)], folder) > 0 { return }
            usleep(50_000)
        }
        throw BenchmarkError("nghttpd does not answer at \(origin)")
    }

    static let content =
        #"{"title":"Water","body":"Time for a glass of water","sound":"default","userInfo":{"habit":42}}"#

    private func push(_ number: Int) throws -> Push {
        var reader = PushContentReader()
        let address = DeviceAddress(token: Self.token, isSandbox: false, delivery: .push, registered: nil)
        return Push(
            source: Push.Source(log: "log", sequence: UInt64(number)), app: Self.app, device: "d\(number)",
            id: "com.myapp.habitReminder.water.\(number % 64)",
            content: try reader.read(Array(Self.content.utf8), at: Instant(milliseconds: 0)),
            validUntil: Instant(milliseconds: 4_000_000_000_000), address: address, key: 0, hasWorked: true)
    }

    private func pushes(_ run: Int) throws -> [Push] {
        try (0..<settings.pushes).map { try push(run * settings.pushes + $0) }
    }

    /// - Returns: pushes a second; 0 if not all were taken.
    private func send(_ origin: String, _ pushes: [Push], _ folder: String) throws -> Double {
        let transport = try transport(origin, folder)
        var limits = PushLimits()
        limits.streams = settings.streams
        let exchange = PushExchange(PushSender(keys: 1, limits: limits), transport, clock: Self.clock)
        let pages = stride(from: 0, to: pushes.count, by: Self.page).map { start in
            Array(pushes[start..<min(start + Self.page, pushes.count)])
        }
        var delivered = 0
        let seconds = try MachineClock.seconds {
            for page in pages {
                try exchange.send(page, limitMilliseconds: pushes.count == 1 ? 200 : 60_000) { effect in
                    if case .ended(_, .delivered) = effect { delivered += 1 }
                }
            }
        }
        if pushes.count > 1, delivered < pushes.count || transport.connectionCount > 1 {
            throw BenchmarkError(
                "\(delivered) of \(pushes.count) pushes were taken, over \(transport.connectionCount) connections: "
                    + "\(transport.lastFailure ?? "no failure"), \(seconds) s")
        }
        return delivered == pushes.count ? Double(delivered) / seconds : 0
    }

    func transport(_ origin: String, _ folder: String) throws -> PushTransport {
        var configuration = APNsSettings()
        configuration.production = origin
        configuration.authorities = "\(folder)/tls.pem"
        configuration.streams = settings.streams
        let key = APNsSettings.Key(
            name: "main", file: "\(folder)/key.p8", identifier: "ABC123DEFG", team: "TEAM123456", apps: [Self.app])
        configuration.keys = [key]
        return PushTransport(configuration, keys: [try KeyFile.read(key.file)])
    }

    static func clock() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

    /// What h2load reaches with a push's request, over and over.
    private func load(_ origin: String, _ push: Push, _ folder: String) throws -> Double {
        let body = "\(folder)/body"
        try Data(push.content.payload).write(to: URL(fileURLWithPath: body))
        let token = try ProviderToken.text(
            key: KeyFile.read("\(folder)/key.p8"), identifier: "ABC123DEFG", team: "TEAM123456",
            issued: Instant(milliseconds: 0))
        let fields = push.fields.lines + ["authorization: bearer \(token)", "content-type: application/json"]
        let process = try Child(
            Self.program("h2load"),
            ["-n", "\(settings.pushes)", "-c", "1", "-m", "\(settings.streams)", "-d", body]
                + fields.flatMap { ["-H", $0] } + [origin + push.path])
        let lines = process.remainingLines()
        guard let line = lines.first(where: { $0.hasPrefix("finished in") }),
            let text = line.split(separator: ",").dropFirst().first?.split(separator: " ").first,
            let rate = Double(text),
            lines.contains(where: { $0.contains("status codes: \(settings.pushes) 2xx") })
        else { throw BenchmarkError("h2load has failed: \(lines.joined(separator: "; "))") }
        return rate
    }

    /// What this process has used of the processor.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func text(_ alone: [Double], _ pushed: [Double], _ whole: [Double], microseconds: Double) -> String {
        func line(_ name: String, _ rates: [Double]) -> String {
            String(format: "%@ %9.0f a second (%.0f to %.0f)", name, rates.median, rates.min() ?? 0, rates.max() ?? 0)
        }
        return """
            \(Machine.isOptimized ? "" : "NOT OPTIMIZED: swift run -c release bench apns\n")machine  \(Machine().description)
            measured \(settings.runs) runs of \(settings.pushes) requests, \(settings.streams) streams, one connection to nghttpd over TLS; medians
            \(line("h2load, one request again and again", alone))
            \(line("sender, each push its own          ", pushed))
            \(line("subscriber, events to stored ends  ", whole))
            \(String(format: "a push takes %.1f µs of the sender's processor", microseconds))
            \(String(format: "ratio %.3f (aim: at least 0.6, and 15,000 pushes a second)", pushed.median / alone.median))
            """
    }
}
