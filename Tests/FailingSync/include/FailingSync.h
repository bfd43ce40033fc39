/// While it is not 0, fsync and fdatasync fail in this process with EIO, for a test of what follows from that. RocksDB's
/// calls go through the same names.
extern _Atomic int ration_syncs_fail;

static inline void ration_let_syncs_fail(int fail) { ration_syncs_fail = fail; }

/// Whether this process has lately synced a file or folder.
int ration_was_synced(const char *path);
