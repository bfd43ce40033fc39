internal import CSpawn
import Foundation

/// Ends the started processes when the tests' process ends before it could: a shell that reads which ones live, and kills
/// those at the end of its input.
final class Lifeline: Sendable {
    static let shared = Lifeline()

    private static let script = """
        live=' '
        while read -r sign pid; do
            case $sign in
            +) live="$live$pid " ;;
            -) live="${live%% $pid *} ${live#* $pid }" ;;
            esac
        done
        for pid in $live; do kill -9 "$pid"; done
        """

    private let input: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // It ends after the tests: whoever reads what those write must not wait for it.
        for stream in [1, 2] as [Int32] { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0) }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let words = (["sh", "-c", Self.script] as [String]).map { strdup($0) } + [nil]
        posix_spawnp(nil, "sh", &actions, nil, words, [nil])
        for word in words { free(word) }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[0])
        input = ends[1]
    }

    func add(_ identifier: pid_t) { tell("+ \(identifier)\n") }

    func remove(_ identifier: pid_t) { tell("- \(identifier)\n") }

    /// Short enough to be written whole.
    private func tell(_ line: String) {
        _ = Array(line.utf8).withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }
}
