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

/// Whether a child has ended; it stays until it is waited for, and so do its number and its group's.
static inline int ration_has_ended(pid_t child) {
    siginfo_t information = {0};
    return waitid(P_PID, (id_t)child, &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_pid == child;
}

/// The macros of wait(2).
static inline int ration_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
static inline int ration_exit_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
