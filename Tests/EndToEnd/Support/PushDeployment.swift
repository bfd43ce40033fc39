import Foundation
import Testing

/// A broker, the APNs subscriber, and the server of `Tests/APNsTests/Server`, which answers as APNs does.
final class PushDeployment {
    static let app = IntentLine.app

    let broker: BrokerProcess
    let server: ChildProcess
    let config: String
    let metricsPort: Int
    private(set) var subscriber: ChildProcess?
    /// What the server has told of requests.
    private(set) var requests: [JSON] = []
    /// How often each push was answered with 200, by its apns-id.
    private(set) var deliveries: [String: Int] = [:]
    var folder: TemporaryFolder { broker.folder }

    /// - Parameters:
    ///   - rules: JSON, as the server takes them.
    ///   - settings: further ones of the subscriber, lines of YAML; `FOLDER` stands for the folder.
    init(rules: String = "[]", settings: String = "") throws {
        broker = try BrokerProcess()
        let folder = broker.folder
        try Self.makeCredentials(in: folder)
        let script = "\(Executables.root)/Tests/APNsTests/Server/apns_server.py"
        let path = folder.path
        server = try ChildProcess(
            Executables.python,
            ["-B", script, "\(path)/tls.pem", "\(path)/tls.key", "\(path)/key.pub", rules], input: nil)
        let port = try #require(try server.nextLine()?.dropFirst("port ".count))
        // Some port that nobody has: the kernel's range for those that choose none lies above.
        metricsPort = Int.random(in: 20_000...30_000)
        config = try folder.write(
            """
            broker:
              data: \(path)/data
              intents: \(broker.intents)
              events: \(broker.events)
              queries: \(broker.queries)
            subscribers:
              apns:
                http: 127.0.0.1:\(metricsPort)
                page: 500
                production: https://localhost:\(port)
                authorities: \(path)/tls.pem
                keys:
                  main: {file: \(path)/key.p8, id: ABC123DEFG, team: TEAM123456, apps: [\(Self.app)]}
            \(settings.replacing("FOLDER", with: path))

            """, to: "ration.yaml")
    }

    private static func makeCredentials(in folder: TemporaryFolder) throws {
        func openssl(_ arguments: String...) throws {
            let process = try ChildProcess("/usr/bin/openssl", arguments)
            try #require(try process.wait() == .status(0), "\(process.errorText)")
        }
        let path = folder.path
        let curve = "ec_paramgen_curve:prime256v1"
        try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", curve, "-out", "\(path)/key.p8")
        try openssl("pkey", "-in", "\(path)/key.p8", "-pubout", "-out", "\(path)/key.pub")
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", curve, "-nodes", "-keyout", "\(path)/tls.key", "-out",
            "\(path)/tls.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        chmod("\(path)/key.p8", 0o600)
    }

    func start() throws {
        subscriber = try ChildProcess(try Executables.ration(), ["subscriber", "apns", "--config", config])
    }

    func end(_ signal: Int32) throws {
        let process = try #require(subscriber)
        subscriber = nil
        process.send(signal: signal)
        let ending = try process.wait()
        #expect(ending == (signal == SIGKILL ? .signal(SIGKILL) : .status(0)), "\(process.errorText)")
    }

    /// Takes the next lines of the server, as many as these are of requests.
    func take(_ count: Int, _ location: SourceLocation = #_sourceLocation) throws {
        var left = count
        while left > 0 {
            let line = try JSON(try #require(try server.nextLine(), "the server has ended", sourceLocation: location))
            guard line["event"]?.text == "request" else { continue }
            requests.append(line)
            left -= 1
            guard line["status"]?.integer == 200, let id = line["headers"]?["apns-id"]?.text else { continue }
            deliveries[id, default: 0] += 1
        }
    }

    /// Takes lines until this many pushes were answered with 200.
    func take(untilDelivered count: Int) throws {
        while deliveries.count < count { try take(1) }
    }

    /// What the metrics say.
    func metrics() throws -> String {
        let process = try ChildProcess("curl", ["-s", "http://127.0.0.1:\(metricsPort)/metrics"])
        try process.wait()
        return process.outputText
    }
}
