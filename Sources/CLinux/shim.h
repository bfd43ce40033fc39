// What Linux has and the Glibc module does not: signalfd, eventfd, epoll, inotify, the name of a thread, the
// reading of dates.
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>

/// Names the calling thread, at most 15 bytes of `name`. prctl is variadic, which Swift does not import.
static inline int ration_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// Flags that the headers define in enumerations of their own.
static inline int ration_open_signalfd(const sigset_t *signals) { return signalfd(-1, signals, SFD_NONBLOCK | SFD_CLOEXEC); }
static inline int ration_open_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/// A file that is readable while one of the files added to it is.
static inline int ration_open_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int ration_epoll_add(int set, int file) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = file}};
    return epoll_ctl(set, EPOLL_CTL_ADD, file, &event);
}

/// Changes of files in folders.
static inline int ration_open_inotify(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

/// Reads a date. <time.h> shows strptime only to those who ask for X/Open, which Swift does not.
extern char *strptime(const char *text, const char *format, struct tm *date);
static inline int ration_read_date(const char *text, const char *format, struct tm *date) {
    const char *end = strptime(text, format, date);
    return end != NULL && *end == '\0';
}
