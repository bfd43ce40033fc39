#include "Disk.h"

#include <algorithm>

namespace simulated {

namespace {

constexpr size_t sectorBytes = 512;

void put(std::string &contents, uint64_t offset, const char *bytes, size_t count) {
    if (contents.size() < offset + count) contents.resize(offset + count, '\0');
    contents.replace(offset, count, bytes, count);
}

/// Whether a write replaces bytes of one sector: disks write a sector whole or not at all.
bool isInSector(const Write &write, uint64_t length) {
    const uint64_t end = write.offset + write.bytes.size();
    return end <= length && write.offset / sectorBytes == (end - 1) / sectorBytes;
}

/// Each sector of a write comes to the disk or does not.
void putSectors(std::string &contents, const Write &write, Random &random) {
    size_t place = 0;
    while (place < write.bytes.size()) {
        const size_t end = (write.offset + place) / sectorBytes * sectorBytes + sectorBytes - write.offset;
        const size_t count = std::min(end, write.bytes.size()) - place;
        if (random.below(2) == 0) put(contents, write.offset + place, write.bytes.data() + place, count);
        place += count;
    }
}

}  // namespace

void File::write(uint64_t offset, const char *data, size_t count) {
    put(bytes, offset, data, count);
    unsynced_.push_back(Write{offset, std::string(data, count)});
    this->count();
}

void File::truncate(uint64_t count) {
    // Durable at once, so that a write behind it cannot come to the disk before it.
    bytes.resize(count, '\0');
    sync();
    synced_ = bytes;
    this->count();
}

void File::reserve(uint64_t count) {
    reserved_ = std::max(reserved_, count);
    this->count();
}

void File::sync() {
    std::vector<Write> left;
    for (Write &write : unsynced_) {
        if (write.isAbandoned) {
            left.push_back(std::move(write));
        } else {
            put(synced_, write.offset, write.bytes.data(), write.bytes.size());
        }
    }
    unsynced_ = std::move(left);
}

void File::abandon() {
    for (Write &write : unsynced_) write.isAbandoned = true;
}

std::string File::after(ration_crash crash, Random &random) const {
    if (crash == RATION_CRASH_KILL) return bytes;
    if (unsynced_.empty()) return synced_;
    std::string contents = synced_;
    const uint64_t kind = random.below(crash == RATION_CRASH_CUT ? 3 : 4);
    if (kind == 0) return contents;
    uint64_t left = 0;
    for (const Write &write : unsynced_) left += write.bytes.size();
    if (kind == 2) left = random.below(left + 1);
    for (const Write &write : unsynced_) {
        if (kind == 3) {
            putSectors(contents, write, random);
            continue;
        }
        size_t count = std::min<uint64_t>(left, write.bytes.size());
        if (isInSector(write, synced_.size())) count = count < write.bytes.size() ? 0 : count;
        put(contents, write.offset, write.bytes.data(), count);
        left -= count;
        if (left == 0) break;
    }
    return contents;
}

void File::settle(std::string contents) {
    bytes = contents;
    synced_ = std::move(contents);
    unsynced_.clear();
    count();
}

void File::count() {
    const uint64_t now = std::max<uint64_t>(bytes.size(), reserved_);
    *usage_ += now;
    *usage_ -= counted_;
    counted_ = now;
}

}  // namespace simulated
