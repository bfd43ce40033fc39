// RocksDB's view of the disk.
#pragma once

#include "Disk.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <deque>

namespace simulated {

std::shared_ptr<rocksdb::FileSystem> makeFileSystem(Disk &disk);

/// A function that RocksDB wants to be run in the background.
struct Job {
    void (*run)(void *);
    void *argument;
    void *tag;
    void (*cancel)(void *);
    rocksdb::Env::Priority priority;
};

/// Without threads: what is to be done in the background waits until somebody runs it.
class Environment final : public rocksdb::EnvWrapper {
  public:
    explicit Environment(Disk &disk);

    void Schedule(void (*run)(void *), void *argument, Priority priority, void *tag, void (*cancel)(void *)) override;
    int UnSchedule(void *tag, Priority priority) override;
    unsigned int GetThreadPoolQueueLen(Priority priority) const override;
    void IncBackgroundThreadsIfNeeded(int, Priority) override {}

    size_t run(size_t most);
    size_t waiting() const { return jobs_.size(); }

  private:
    std::deque<Job> jobs_;
};

}  // namespace simulated
