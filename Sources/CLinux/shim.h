// What Linux has and the Glibc module does not: signalfd, eventfd, the name of a thread.
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

/// Names the calling thread, at most 15 bytes of `name`. prctl is variadic, which Swift does not import.
static inline int ration_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// Flags that the headers define in enumerations of their own.
static inline int ration_open_signalfd(const sigset_t *signals) { return signalfd(-1, signals, SFD_NONBLOCK | SFD_CLOEXEC); }
static inline int ration_open_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
