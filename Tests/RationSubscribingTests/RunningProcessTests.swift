import Foundation
import RationSubscribing
import TestProcesses
import Testing

@Suite("The one process that runs a subscriber")
struct RunningProcessTests {
    @Test("is found by its lock, keeps a second one out, and is gone when it ends")
    func lock() throws {
        let file = try TemporaryFile()
        #expect(try RunningProcess.identifier(file.path) == nil)
        let own = try RunningProcess(file.path)
        withExtendedLifetime(own) {}
        let other = try ChildProcess(
            "python3",
            [
                "-c",
                "import fcntl,sys; f=open(sys.argv[1],'w'); fcntl.lockf(f,fcntl.LOCK_EX); print('held',flush=True); "
                    + "sys.stdin.read()", file.path + ".other.lock",
            ], input: nil)
        #expect(try other.nextLine() == "held")
        let path = file.path + ".other"
        #expect(try RunningProcess.identifier(path) == other.identifier)
        let error = #expect(throws: SubscriberError.self) { try RunningProcess(path) }
        #expect(error?.code == .running)
        #expect(error?.message.contains("\(other.identifier)") == true)
        // What it has opened for that it closes, and no file of another thread's.
        let race = FileRace()
        for _ in 0..<2_000 { _ = try? RunningProcess(path) }
        #expect(race.finish() == 0)
        other.closeInput()
        try other.waitForSuccess()
        #expect(try RunningProcess.identifier(path) == nil)
    }
}
