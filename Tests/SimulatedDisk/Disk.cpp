#include "Disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace simulated {

namespace {

/// Where a write may be interrupted: the system copies page by page, and a process is killed between two.
size_t pageEdge(uint64_t offset, size_t count) {
    constexpr size_t pageBytes = 4096;
    const size_t first = pageBytes - offset % pageBytes;
    return count <= first ? 0 : first + (count - first) / 2 / pageBytes * pageBytes;
}

}  // namespace

std::string Disk::folder(const std::string &path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
}

FileReference Disk::find(const std::string &path) const {
    const auto found = entries_.find(path);
    return found == entries_.end() ? nullptr : found->second;
}

std::vector<std::string> Disk::names(const std::string &folder) const {
    std::vector<std::string> names;
    const std::string prefix = folder + "/";
    const auto add = [&](const std::string &path) {
        if (path.compare(0, prefix.size(), prefix) != 0) return;
        if (path.find('/', prefix.size()) == std::string::npos) names.push_back(path.substr(prefix.size()));
    };
    for (auto entry = entries_.lower_bound(prefix); entry != entries_.end(); ++entry) {
        if (entry->first.compare(0, prefix.size(), prefix) != 0) break;
        add(entry->first);
    }
    for (const std::string &path : folders_) add(path);
    std::sort(names.begin(), names.end());
    return names;
}

void Disk::begin(Operation operation, const std::string &path, uint64_t offset, uint64_t count) {
    operations += 1;
    const auto mix = [this](uint64_t value) { trace = (trace ^ value) * 0x100000001B3; };
    mix(static_cast<uint64_t>(operation));
    for (const char character : path) mix(static_cast<unsigned char>(character));
    mix(offset);
    mix(count);
    if (operations != crashingOperation || image) return;
    image = taken(armedCrash, crashSeed);
}

std::unique_ptr<Disk> Disk::crashed(ration_crash crash, uint64_t seed) {
    return image ? std::move(image) : taken(crash, seed);
}

std::unique_ptr<Disk> Disk::taken(ration_crash crash, uint64_t seed) const {
    Random random(seed);
    auto next = std::make_unique<Disk>(capacity);
    next->folders_ = folders_;
    next->trace = trace;
    auto entries = crash == RATION_CRASH_KILL ? entries_ : durable_;
    if (crash != RATION_CRASH_KILL) {
        for (const auto &[folder, changes] : changes_) {
            // None, all, or the first ones: file systems keep a journal of these changes, which has an order.
            const uint64_t kind = random.below(3);
            const uint64_t first = kind == 0 ? 0 : kind == 2 ? random.below(changes.size() + 1) : changes.size();
            for (uint64_t index = 0; index < first; ++index) {
                const EntryChange &change = changes[index];
                if (!change.from.empty()) entries.erase(change.from);
                if (change.file) entries[change.path] = change.file; else entries.erase(change.path);
            }
        }
    }
    std::map<const File *, FileReference> copies;
    for (const auto &[path, file] : entries) {
        FileReference &copy = copies[file.get()];
        if (!copy) {
            copy = std::make_shared<File>(next->usage_);
            // RocksDB has no way to open a manifest whose last entry came to the disk out of order.
            const bool isManifest = path.find("/MANIFEST-") != std::string::npos;
            const bool isCut = isManifest && crash == RATION_CRASH_POWER;
            copy->settle(file->after(isCut ? RATION_CRASH_CUT : crash, random));
        }
        next->entries_[path] = copy;
    }
    next->durable_ = next->entries_;
    return next;
}

int Disk::makeFolder(const std::string &path) {
    if (folders_.count(path) > 0 || entries_.count(path) > 0) return EEXIST;
    begin(Operation::folder, path, 0, 0);
    folders_.insert(path);
    return 0;
}

int Disk::create(const std::string &path, FileReference *file) {
    if (!isFolder(folder(path))) return ENOENT;
    begin(Operation::create, path, 0, 0);
    *file = std::make_shared<File>(usage_);
    entries_[path] = *file;
    changes_[folder(path)].push_back(EntryChange{path, *file, ""});
    return 0;
}

int Disk::link(const std::string &path, const std::string &target) {
    const FileReference file = find(path);
    if (!file) return ENOENT;
    if (find(target)) return EEXIST;
    begin(Operation::create, target, 0, 0);
    entries_[target] = file;
    changes_[folder(target)].push_back(EntryChange{target, file, ""});
    return 0;
}

int Disk::rename(const std::string &path, const std::string &target) {
    const FileReference file = find(path);
    if (!file) return ENOENT;
    begin(Operation::rename, target, 0, 0);
    entries_.erase(path);
    entries_[target] = file;
    changes_[folder(target)].push_back(EntryChange{target, file, path});
    return 0;
}

int Disk::remove(const std::string &path) {
    if (!find(path)) return ENOENT;
    begin(Operation::remove, path, 0, 0);
    entries_.erase(path);
    changes_[folder(path)].push_back(EntryChange{path, nullptr, ""});
    return 0;
}

int Disk::write(
    const std::string &path, const FileReference &file, uint64_t offset, const char *bytes, size_t count) {
    appends += 1;
    if (appends == failingAppend) return EIO;
    const uint64_t end = std::max<uint64_t>(file->bytes.size(), offset + count);
    const uint64_t more = end - file->bytes.size();
    const uint64_t free = capacity > used() ? capacity - used() : 0;
    const size_t fits = more <= free ? count : count - std::min<uint64_t>(count, more - free);
    const size_t half = pageEdge(offset, fits);
    file->write(offset, bytes, half);
    begin(Operation::append, path, offset, count);
    if (fits > half) file->write(offset + half, bytes + half, fits - half);
    return fits < count ? ENOSPC : 0;
}

int Disk::truncate(const std::string &path, const FileReference &file, uint64_t count) {
    if (count == file->bytes.size()) return 0;
    begin(Operation::truncate, path, 0, count);
    file->truncate(count);
    return 0;
}

int Disk::reserve(const std::string &path, const FileReference &file, uint64_t count) {
    if (used() + count > capacity) return ENOSPC;
    begin(Operation::reserve, path, 0, count);
    file->reserve(count);
    return 0;
}

int Disk::sync(const std::string &path, const FileReference &file) {
    begin(Operation::sync, path, 0, file->bytes.size());
    syncs += 1;
    if (syncs == failingSync) {
        file->abandon();
        return hidesFailedSyncs ? 0 : EIO;
    }
    const bool isDropped = dropsSyncs && path.size() >= droppedSuffix.size()
        && path.compare(path.size() - droppedSuffix.size(), droppedSuffix.size(), droppedSuffix) == 0;
    if (!isDropped) file->sync();
    return 0;
}

int Disk::syncFolder(const std::string &path) {
    if (!isFolder(path)) return ENOENT;
    begin(Operation::syncFolder, path, 0, 0);
    syncs += 1;
    if (syncs == failingSync) return hidesFailedSyncs ? 0 : EIO;
    if (dropsFolderSyncs) return 0;
    for (const EntryChange &change : changes_[path]) {
        if (!change.from.empty()) durable_.erase(change.from);
        if (change.file) durable_[change.path] = change.file; else durable_.erase(change.path);
    }
    changes_[path].clear();
    return 0;
}

size_t Disk::read(const FileReference &file, uint64_t offset, char *bytes, size_t count) {
    reads += 1;
    if (offset >= file->bytes.size()) return 0;
    const size_t given = std::min<uint64_t>(count, file->bytes.size() - offset);
    std::memcpy(bytes, file->bytes.data() + offset, given);
    if (reads != spoiltRead || given == 0) return given;
    Random random(spoilSeed);
    const size_t place = random.below(given);
    if (spoilsToZero) {
        // Something changes in any case, whatever random names RocksDB has written there.
        const char first = bytes[place] == 0 ? 1 : 0;
        std::memset(bytes + place, 0, std::min<size_t>(given - place, 1 + random.below(512)));
        bytes[place] = first;
    } else {
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << random.below(8)));
    }
    return given;
}

}  // namespace simulated
