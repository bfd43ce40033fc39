#include "FailingSync.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

_Atomic int ration_syncs_fail = 0;

static int sync_file(long call, int file) {
    if (ration_syncs_fail) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(call, file);
}

int fsync(int file) { return sync_file(SYS_fsync, file); }
int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }
