// The disk itself: files, folders, what of them is durable, and what goes wrong.
#pragma once

#include "SimulatedDisk.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace simulated {

/// SplitMix64, as in `TestSupport`.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        state_ += 0x9E3779B97F4A7C15;
        uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }
    /// 0 ..< `bound`; 0 for a bound of 0.
    uint64_t below(uint64_t bound) { return bound == 0 ? 0 : next() % bound; }

  private:
    uint64_t state_;
};

/// Bytes that files hold, counted.
using Usage = std::shared_ptr<uint64_t>;

struct Write {
    uint64_t offset;
    std::string bytes;
    /// A sync of it has failed: no later one makes it durable.
    bool isAbandoned = false;
};

/// A file's contents, whatever its names.
class File {
  public:
    explicit File(Usage usage) : usage_(std::move(usage)) {}
    File(const File &) = delete;
    ~File() { *usage_ -= counted_; }

    void write(uint64_t offset, const char *bytes, size_t count);
    void truncate(uint64_t count);
    void reserve(uint64_t count);
    /// Makes what was written durable.
    void sync();
    /// A sync has failed.
    void abandon();
    /// What of it a crash leaves.
    std::string after(ration_crash crash, Random &random) const;

    /// As processes see it.
    std::string bytes;

    /// Contents that are durable.
    void settle(std::string contents);

  private:
    void count();

    /// As it would be if none of `unsynced` came to the disk.
    std::string synced_;
    std::vector<Write> unsynced_;
    uint64_t reserved_ = 0;
    uint64_t counted_ = 0;
    Usage usage_;
};

using FileReference = std::shared_ptr<File>;

/// A change of a folder's entries that is not durable yet. Without a file: the name goes.
struct EntryChange {
    std::string path;
    FileReference file;
    /// Of a rename: the name that goes.
    std::string from;
};

enum class Operation : uint8_t { append, truncate, sync, syncFolder, create, remove, rename, reserve, folder };

class Disk {
  public:
    explicit Disk(uint64_t capacity) : capacity(capacity), usage_(std::make_shared<uint64_t>(0)) {}

    std::unique_ptr<Disk> crashed(ration_crash crash, uint64_t seed);

    /// @return null when there is none.
    FileReference find(const std::string &path) const;
    bool isFolder(const std::string &path) const { return folders_.count(path) > 0; }
    std::vector<std::string> names(const std::string &folder) const;

    // Each returns 0 or an errno.
    int makeFolder(const std::string &path);
    int create(const std::string &path, FileReference *file);
    int link(const std::string &path, const std::string &target);
    int rename(const std::string &path, const std::string &target);
    int remove(const std::string &path);
    int write(const std::string &path, const FileReference &file, uint64_t offset, const char *bytes, size_t count);
    int truncate(const std::string &path, const FileReference &file, uint64_t count);
    int reserve(const std::string &path, const FileReference &file, uint64_t count);
    int sync(const std::string &path, const FileReference &file);
    int syncFolder(const std::string &path);
    /// Copies what a read gives, spoilt if its turn has come.
    size_t read(const FileReference &file, uint64_t offset, char *bytes, size_t count);

    uint64_t used() const { return *usage_; }

    uint64_t capacity;
    uint64_t operations = 0, appends = 0, syncs = 0, reads = 0;
    uint64_t trace = 0xCBF29CE484222325;
    /// Of what is counted above; 0: never.
    uint64_t failingAppend = 0, failingSync = 0, spoiltRead = 0, crashingOperation = 0;
    bool spoilsToZero = false;
    uint64_t spoilSeed = 0;
    ration_crash armedCrash = RATION_CRASH_KILL;
    uint64_t crashSeed = 0;
    bool hidesFailedSyncs = false;
    bool dropsSyncs = false, dropsFolderSyncs = false;
    std::string droppedSuffix;
    /// The disk as it was when the armed crash came.
    std::unique_ptr<Disk> image;
    std::set<std::string> locks;

  private:
    /// Counts a change; in the middle of the one that the crash comes with, takes the image.
    void begin(Operation operation, const std::string &path, uint64_t offset, uint64_t count);
    std::unique_ptr<Disk> taken(ration_crash crash, uint64_t seed) const;
    static std::string folder(const std::string &path);

    Usage usage_;
    std::set<std::string> folders_;
    std::map<std::string, FileReference> entries_;
    std::map<std::string, FileReference> durable_;
    /// By folder, oldest first.
    std::map<std::string, std::vector<EntryChange>> changes_;
};

}  // namespace simulated
