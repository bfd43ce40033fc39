// A disk in memory, under RocksDB and under a store's own files. It knows of each file which bytes were synced and of each
// folder which entries were, so that it can be taken through a crash: what was synced stays; of the rest a part that the
// seed chooses, torn at any byte, lost, or out of order (but the entries of a folder change in their order, as in a journal,
// bytes within one sector are replaced together or not at all, and RocksDB's manifests lose no more than their end). One thread uses it, and everything that happens on it happens in
// that thread's calls: the same calls with the same seeds give the same disk.
#ifndef SIMULATEDDISK_H
#define SIMULATEDDISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ration_disk ration_disk;

/// An empty disk.
ration_disk *ration_disk_create(uint64_t capacity_bytes);
void ration_disk_destroy(ration_disk *disk);

// Crashes

typedef enum {
    /// The process is killed: all that it wrote stays.
    RATION_CRASH_KILL,
    /// The power fails: what was not synced is torn, lost or out of order.
    RATION_CRASH_POWER,
    /// As before, but of the bytes of a file a beginning is kept and no byte behind it.
    RATION_CRASH_CUT,
} ration_crash;

/// The disk as the next process finds it, with no faults. The old one lives on apart, for who has it open.
ration_disk *ration_disk_crash(ration_disk *disk, ration_crash crash, uint64_t seed);
/// Lets the crash happen in the middle of the `operations`-th change from now on: what happens after it is not seen by the
/// disk that `ration_disk_crash` gives (then whatever its arguments). 0: no more.
void ration_disk_arm_crash(ration_disk *disk, uint64_t operations, ration_crash crash, uint64_t seed);
bool ration_disk_has_crashed(const ration_disk *disk);

// Faults

/// The `operations`-th append or sync from now on fails with EIO; 0: none does. A failed sync leaves the bytes readable, and
/// no later sync makes them durable, as on Linux.
void ration_disk_fail(ration_disk *disk, uint64_t appends, uint64_t syncs);
/// One bit of what RocksDB's `reads`-th read from now on gives is flipped, or its bytes are 0; 0: none.
void ration_disk_spoil_read(ration_disk *disk, uint64_t reads, bool zeroes, uint64_t seed);
uint64_t ration_disk_capacity(const ration_disk *disk);
void ration_disk_set_capacity(ration_disk *disk, uint64_t bytes);
/// Syncs of files whose name ends so, and of folders when `folders`, do nothing: a disk that lies.
void ration_disk_drop_syncs(ration_disk *disk, const char *suffix, bool folders);
/// After a sync that failed, the file system tries once more and says that all is well.
void ration_disk_hide_failed_syncs(ration_disk *disk);

// What happened

/// Changes so far, and a hash of all of them: kind, file, place, length.
uint64_t ration_disk_operations(const ration_disk *disk);
uint64_t ration_disk_trace(const ration_disk *disk);
/// Appends, syncs and reads so far.
uint64_t ration_disk_appends(const ration_disk *disk);
uint64_t ration_disk_syncs(const ration_disk *disk);
uint64_t ration_disk_reads(const ration_disk *disk);
uint64_t ration_disk_used_bytes(const ration_disk *disk);

// RocksDB on it

/// Makes databases that are opened with these options (a `rocksdb_options_t`) live on the disk, without threads. The disk must
/// outlive them.
void ration_disk_use(ration_disk *disk, void *options);
/// Runs flushes and compactions that wait, `most` at most.
/// @return how many were run.
size_t ration_disk_run_jobs(ration_disk *disk, size_t most);
size_t ration_disk_waiting_jobs(const ration_disk *disk);

// Files. Each returns 0 or an errno, unless it says otherwise.

int ration_disk_make_folder(ration_disk *disk, const char *path);
int ration_disk_sync_folder(ration_disk *disk, const char *path);
/// @return bytes read, or less than 0: an errno.
long ration_disk_read(ration_disk *disk, const char *path, uint64_t offset, void *bytes, size_t count);
/// Writes at a place; makes the file if it is missing, and empties it before if `truncates`.
int ration_disk_write(
    ration_disk *disk, const char *path, uint64_t offset, const void *bytes, size_t count, bool truncates);
int ration_disk_sync(ration_disk *disk, const char *path);
int ration_disk_rename(ration_disk *disk, const char *path, const char *target);
int ration_disk_remove(ration_disk *disk, const char *path);
/// Gives a file so many bytes of room.
int ration_disk_reserve(ration_disk *disk, const char *path, uint64_t bytes);
/// @return its length, or less than 0: an errno.
long ration_disk_size(const ration_disk *disk, const char *path);
bool ration_disk_exists(const ration_disk *disk, const char *path);
/// Calls for the name of each entry of a folder, in the order of their bytes.
int ration_disk_names(
    const ration_disk *disk, const char *path, void *context, void (*take)(void *context, const char *name));
/// Changes what is stored, past all that is counted: flips a bit (`zeroes` 0) or zeroes so many bytes at a place.
void ration_disk_damage(ration_disk *disk, const char *path, uint64_t offset, uint64_t zeroes);
/// Cuts what is stored.
void ration_disk_truncate(ration_disk *disk, const char *path, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
