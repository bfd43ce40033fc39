#include "CRocksDBLog.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace {

/// Keeps the last warnings. RocksDB logs from several threads.
class WarningLogger final : public rocksdb::Logger {
  public:
    WarningLogger() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

    using Logger::Logv;

    // Calls without a level, and headers, are no warnings.
    void Logv(const char *, va_list) override {}
    void LogHeader(const char *, va_list) override {}

    void Logv(const rocksdb::InfoLogLevel level, const char *format, va_list arguments) override {
        if (level < GetInfoLogLevel() || level == rocksdb::InfoLogLevel::HEADER_LEVEL) return;
        char line[1024];
        const int length = std::vsnprintf(line, sizeof line, format, arguments);
        if (length <= 0) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        if (lines_.size() == limit) lines_.pop_front();
        lines_.emplace_back(line, std::min<size_t>(length, sizeof line - 1));
    }

    std::string last(const char *word) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = std::find_if(lines_.rbegin(), lines_.rend(), [word](const std::string &line) {
            return line.find(word) != std::string::npos;
        });
        return found == lines_.rend() ? std::string() : *found;
    }

  private:
    static constexpr size_t limit = 64;
    std::mutex mutex_;
    std::deque<std::string> lines_;
};

}  // namespace

struct ration_rocksdb_log {
    // `rocksdb_options_set_info_log` reads a `rocksdb_logger_t`, which RocksDB's c.cc defines as a structure of this one
    // member (7.8; unchanged since 2014): it has to stand first.
    std::shared_ptr<rocksdb::Logger> rep;
    std::shared_ptr<WarningLogger> logger;
};

extern "C" {

ration_rocksdb_log *ration_rocksdb_log_create(void) {
    auto logger = std::make_shared<WarningLogger>();
    return new ration_rocksdb_log{logger, logger};
}

void ration_rocksdb_log_destroy(ration_rocksdb_log *log) { delete log; }

void ration_rocksdb_log_use(ration_rocksdb_log *log, rocksdb_options_t *options) {
    rocksdb_options_set_info_log(options, reinterpret_cast<rocksdb_logger_t *>(log));
}

size_t ration_rocksdb_log_last(ration_rocksdb_log *log, const char *word, char *buffer, size_t capacity) {
    const std::string line = log->logger->last(word);
    const size_t count = std::min(line.size(), capacity);
    std::memcpy(buffer, line.data(), count);
    return count;
}

}
