// A library to be loaded before all others into a process under test: its syncs fail, or are left out. What it does is said
// by variables of the environment: RATION_SYNC_FAILS, the place of the first sync that fails with EIO, counted from 1 once the
// file is there that RATION_SYNC_FAILS_AFTER names; RATION_SYNC_DROPPED, when it is set no sync is done.

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long syncs = 0;

static int sync_file(long call, int file) {
    const char *failing = getenv("RATION_SYNC_FAILS");
    const char *begin = getenv("RATION_SYNC_FAILS_AFTER");
    if (failing != NULL && begin != NULL && access(begin, F_OK) == 0 && atomic_fetch_add(&syncs, 1) + 1 >= atol(failing)) {
        errno = EIO;
        return -1;
    }
    return getenv("RATION_SYNC_DROPPED") != NULL ? 0 : (int)syscall(call, file);
}

int fsync(int file) { return sync_file(SYS_fsync, file); }
int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }
