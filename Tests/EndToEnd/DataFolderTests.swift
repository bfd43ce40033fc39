import Glibc
import TestProcesses
import Testing

@Suite("The data folder")
struct DataFolderTests {
    @Test("a second broker on a folder ends with status 1 and names it; the first goes on")
    func two() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        #expect(try client.publish([IntentLine.of("remove")]).outcomes == "o")
        let second = try ChildProcess(
            try Executables.ration(), BrokerProcess.arguments(folder: broker.folder, .ipc, http: false))
        #expect(try second.wait() == .status(1))
        #expect(second.errorText.contains("\(broker.folder.path)/data"))
        #expect(second.output.isEmpty)
        #expect(try client.publish([IntentLine.of("remove")]).outcomes == "o")
        try broker.proveThatItServes()
        #expect(try broker.stop() == .status(0))
    }

    @Test("after kill -9 a new broker on the folder starts at once")
    func killed() throws {
        let broker = try BrokerProcess()
        try broker.proveThatItServes()
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        let again = try broker.again()
        try again.proveThatItServes()
        #expect(try again.stop() == .status(0))
    }

    @Test("an endpoint that is taken ends the broker with status 1 and is named")
    func takenPort() throws {
        let broker = try BrokerProcess(over: .tcp)
        let folder = try TemporaryFolder()
        let second = try ration("broker", "--data", folder.path, "--http", "off", "--intents", broker.intents)
        #expect(try second.wait() == .status(1))
        #expect(second.errorText.contains(broker.intents))
        try broker.proveThatItServes()
    }

    @Test("the folder and its sockets are their owner's alone")
    func modes() throws {
        let broker = try BrokerProcess()
        let sockets = [broker.intents, broker.events, broker.queries].map { String($0.dropFirst("ipc://".count)) }
        for (path, mode) in [("\(broker.folder.path)/data", 0o700)] + sockets.map({ ($0, 0o600) }) {
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(Int(status.st_mode) & 0o777 == mode, "\(path)")
        }
    }
}
