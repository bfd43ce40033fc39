#include "FileSystem.h"

#include <rocksdb/c.h>
#include <rocksdb/options.h>

#include <cerrno>

using simulated::Disk;
using simulated::FileReference;

struct ration_disk {
    std::unique_ptr<Disk> disk;
    simulated::Environment environment;

    explicit ration_disk(std::unique_ptr<Disk> made) : disk(std::move(made)), environment(*disk) {}
};

// RocksDB's c.cc defines its structure so (7.8): the options stand first.
struct rocksdb_options_t {
    rocksdb::Options rep;
};

extern "C" {

ration_disk *ration_disk_create(uint64_t capacity) { return new ration_disk(std::make_unique<Disk>(capacity)); }

void ration_disk_destroy(ration_disk *disk) { delete disk; }

ration_disk *ration_disk_crash(ration_disk *disk, ration_crash crash, uint64_t seed) {
    return new ration_disk(disk->disk->crashed(crash, seed));
}

void ration_disk_arm_crash(ration_disk *disk, uint64_t operations, ration_crash crash, uint64_t seed) {
    Disk &armed = *disk->disk;
    armed.crashingOperation = operations == 0 ? 0 : armed.operations + operations;
    armed.armedCrash = crash;
    armed.crashSeed = seed;
}

bool ration_disk_has_crashed(const ration_disk *disk) { return disk->disk->image != nullptr; }

void ration_disk_fail(ration_disk *disk, uint64_t appends, uint64_t syncs) {
    disk->disk->failingAppend = appends == 0 ? 0 : disk->disk->appends + appends;
    disk->disk->failingSync = syncs == 0 ? 0 : disk->disk->syncs + syncs;
}

void ration_disk_spoil_read(ration_disk *disk, uint64_t reads, bool zeroes, uint64_t seed) {
    disk->disk->spoiltRead = reads == 0 ? 0 : disk->disk->reads + reads;
    disk->disk->spoilsToZero = zeroes;
    disk->disk->spoilSeed = seed;
}

uint64_t ration_disk_capacity(const ration_disk *disk) { return disk->disk->capacity; }
void ration_disk_set_capacity(ration_disk *disk, uint64_t bytes) { disk->disk->capacity = bytes; }

void ration_disk_drop_syncs(ration_disk *disk, const char *suffix, bool folders) {
    disk->disk->dropsSyncs = suffix != nullptr;
    disk->disk->droppedSuffix = suffix == nullptr ? "" : suffix;
    disk->disk->dropsFolderSyncs = folders;
}

void ration_disk_hide_failed_syncs(ration_disk *disk) { disk->disk->hidesFailedSyncs = true; }

uint64_t ration_disk_operations(const ration_disk *disk) { return disk->disk->operations; }
uint64_t ration_disk_trace(const ration_disk *disk) { return disk->disk->trace; }
uint64_t ration_disk_appends(const ration_disk *disk) { return disk->disk->appends; }
uint64_t ration_disk_syncs(const ration_disk *disk) { return disk->disk->syncs; }
uint64_t ration_disk_reads(const ration_disk *disk) { return disk->disk->reads; }
uint64_t ration_disk_used_bytes(const ration_disk *disk) { return disk->disk->used(); }

void ration_disk_use(ration_disk *disk, void *options) {
    rocksdb::Options &set = static_cast<rocksdb_options_t *>(options)->rep;
    set.env = &disk->environment;
    // Each of these would be a thread.
    set.max_file_opening_threads = 1;
    set.stats_dump_period_sec = 0;
    set.stats_persist_period_sec = 0;
    set.max_bgerror_resume_count = 0;
}

size_t ration_disk_run_jobs(ration_disk *disk, size_t most) { return disk->environment.run(most); }
size_t ration_disk_waiting_jobs(const ration_disk *disk) { return disk->environment.waiting(); }

int ration_disk_make_folder(ration_disk *disk, const char *path) { return disk->disk->makeFolder(path); }
int ration_disk_sync_folder(ration_disk *disk, const char *path) { return disk->disk->syncFolder(path); }

long ration_disk_read(ration_disk *disk, const char *path, uint64_t offset, void *bytes, size_t count) {
    const FileReference file = disk->disk->find(path);
    if (!file) return -ENOENT;
    if (offset >= file->bytes.size()) return 0;
    return static_cast<long>(file->bytes.copy(static_cast<char *>(bytes), count, offset));
}

int ration_disk_write(
    ration_disk *disk, const char *path, uint64_t offset, const void *bytes, size_t count, bool truncates) {
    FileReference file = disk->disk->find(path);
    if (!file) {
        const int error = disk->disk->create(path, &file);
        if (error != 0) return error;
    }
    if (truncates) {
        const int error = disk->disk->truncate(path, file, 0);
        if (error != 0) return error;
    }
    return count == 0 ? 0 : disk->disk->write(path, file, offset, static_cast<const char *>(bytes), count);
}

int ration_disk_sync(ration_disk *disk, const char *path) {
    const FileReference file = disk->disk->find(path);
    return file ? disk->disk->sync(path, file) : ENOENT;
}

int ration_disk_rename(ration_disk *disk, const char *path, const char *target) {
    return disk->disk->rename(path, target);
}

int ration_disk_remove(ration_disk *disk, const char *path) { return disk->disk->remove(path); }

int ration_disk_reserve(ration_disk *disk, const char *path, uint64_t bytes) {
    FileReference file = disk->disk->find(path);
    if (!file) {
        const int error = disk->disk->create(path, &file);
        if (error != 0) return error;
    }
    return disk->disk->reserve(path, file, bytes);
}

long ration_disk_size(const ration_disk *disk, const char *path) {
    const FileReference file = disk->disk->find(path);
    return file ? static_cast<long>(file->bytes.size()) : -ENOENT;
}

bool ration_disk_exists(const ration_disk *disk, const char *path) {
    return disk->disk->find(path) != nullptr || disk->disk->isFolder(path);
}

int ration_disk_names(
    const ration_disk *disk, const char *path, void *context, void (*take)(void *, const char *)) {
    if (!disk->disk->isFolder(path)) return ENOENT;
    for (const std::string &name : disk->disk->names(path)) take(context, name.c_str());
    return 0;
}

void ration_disk_damage(ration_disk *disk, const char *path, uint64_t offset, uint64_t zeroes) {
    const FileReference file = disk->disk->find(path);
    if (!file || offset >= file->bytes.size()) return;
    std::string contents = file->bytes;
    if (zeroes == 0) {
        contents[offset] = static_cast<char>(contents[offset] ^ 0x10);
    } else {
        for (uint64_t place = offset; place < contents.size() && place < offset + zeroes; ++place) contents[place] = 0;
    }
    file->settle(std::move(contents));
}

void ration_disk_truncate(ration_disk *disk, const char *path, uint64_t bytes) {
    const FileReference file = disk->disk->find(path);
    if (file && bytes < file->bytes.size()) file->settle(file->bytes.substr(0, bytes));
}

}
