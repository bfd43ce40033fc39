import Foundation
import TestProcesses
import Testing

/// A broker, the APNs subscriber, and the server of `Tests/APNsTests/Server`, which answers as APNs does.
final class PushDeployment {
    static let app = IntentLine.app

    let broker: BrokerProcess
    let server: ChildProcess
    private let credentials: Credentials
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
        let credentials = try Credentials()
        self.credentials = credentials
        let script = "\(Executables.root)/Tests/APNsTests/Server/apns_server.py"
        let path = folder.path
        server = try ChildProcess(
            Executables.python,
            ["-B", script, credentials.certificate, credentials.certificateKey, credentials.publicKey, rules],
            input: nil)
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
                authorities: \(credentials.certificate)
                keys:
                  main:
                    file: \(credentials.keyFile)
                    id: \(Credentials.identifier)
                    team: \(Credentials.team)
                    apps: [\(Self.app)]
            \(settings.replacing("FOLDER", with: path))

            """, to: "ration.yaml")
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
