// Starting a process that ends with this one. fork and what follows it are one function, since between fork and exec only
// what signal-safety(7) lists may be called, which no Swift code keeps to.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/// Runs a program in a process group of its own, with every signal as the system sets it, nothing to read, and the given
/// outputs. The kernel kills it when the calling thread ends.
/// @param program Its path; one without a slash is looked for in PATH.
/// @param report Gets the errno when the program cannot be run; closed by exec otherwise.
/// @return Its number; -1 with errno when no process can be made.
static inline pid_t ration_spawn(const char *program, char *const arguments[], int output, int errors, int report) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) _exit(127);  // it ended before it was watched
    setpgid(0, 0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    int input = open("/dev/null", O_RDONLY);
    if (input >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(errors, 2) == 2) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, 0);
        execvp(program, arguments);
    }
    int code = errno;
    ssize_t written = write(report, &code, sizeof code);
    _exit(written == sizeof code ? 127 : 126);
}

enum { ration_guarded_groups = 4096 };

/// Starts a process that outlives this one by a moment, however this one ends, and kills the groups that are left then: also
/// what a child has started, which the kernel does not kill with it. It reads numbers from a pipe: that of a group to guard, or
/// the negative of one that is gone. To be called before any thread is started.
/// @param end Gets the end of the pipe to write to; when it is closed, the guardian ends.
/// @return Its number; -1 with errno.
static inline pid_t ration_start_guardian(int *end) {
    int ends[2];
    if (pipe(ends) < 0) return -1;
    pid_t child = fork();
    if (child != 0) {
        close(ends[0]);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        *end = ends[1];
        return child;
    }
    setsid();  // no signal of a terminal reaches it
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
    dup2(ends[0], 0);
    for (int descriptor = 1; descriptor < 1024; descriptor++) close(descriptor);
    pid_t groups[ration_guarded_groups] = {0}, group;
    for (;;) {
        ssize_t count = read(0, &group, sizeof group);
        if (count < 0 && errno == EINTR) continue;
        if (count != sizeof group) break;
        pid_t wanted = group > 0 ? 0 : -group;
        for (int place = 0; place < ration_guarded_groups; place++) {
            if (groups[place] != wanted) continue;
            groups[place] = group > 0 ? group : 0;
            break;
        }
    }
    for (int place = 0; place < ration_guarded_groups; place++)
        if (groups[place] > 0) kill(-groups[place], SIGKILL);
    _exit(0);
}

/// Whether a child has ended; it stays until it is waited for, and so do its number and its group's.
static inline int ration_has_ended(pid_t child) {
    siginfo_t information = {0};
    return waitid(P_PID, (id_t)child, &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_pid == child;
}

/// The macros of wait(2).
static inline int ration_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
static inline int ration_exit_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
