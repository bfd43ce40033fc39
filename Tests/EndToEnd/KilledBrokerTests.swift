import Foundation
import RationBus
import Testing

@Suite("A broker under load that is killed", .serialized)
struct KilledBrokerTests {
    /// `deploy/test --long` wants more.
    private static let kills = ProcessInfo.processInfo.environment["RATION_KILLS"].flatMap { Int($0) } ?? 20

    @Test("whenever it is killed, acknowledgements, log and plans are those of the slow model")
    func kills() throws {
        let load = try BrokerUnderLoad()
        for _ in 0..<Self.kills {
            try load.run(milliseconds: Int(load.below(300)))
            try load.kill()
            // While nobody is there, too.
            if load.below(4) == 0 { try load.run(milliseconds: 20) }
            try load.start()
        }
        try load.drain()
        try load.kill()
        try load.start()
        try load.waitUntilQuiet()
        let compared = try load.compare()
        print(#"{"kills":\#(Self.kills + 1),"requests":\#(compared.requests),"events":\#(compared.events)}"#)
    }
}
