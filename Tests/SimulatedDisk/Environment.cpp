#include "FileSystem.h"

#include <rocksdb/system_clock.h>

#include <utility>

namespace simulated {

namespace {

/// Goes on by a microsecond each time that it is asked.
class Clock final : public rocksdb::SystemClock {
  public:
    const char *Name() const override { return "SimulatedClock"; }
    uint64_t NowMicros() override { return ++now_; }
    void SleepForMicroseconds(int micros) override { now_ += micros; }

    rocksdb::Status GetCurrentTime(int64_t *seconds) override {
        *seconds = static_cast<int64_t>(now_ / 1'000'000);
        return rocksdb::Status::OK();
    }

    std::string TimeToString(uint64_t seconds) override { return std::to_string(seconds); }

  private:
    uint64_t now_ = 1'796'000'000'000'000;
};

}  // namespace

Environment::Environment(Disk &disk) : EnvWrapper(rocksdb::NewCompositeEnv(makeFileSystem(disk))) {
    file_system_ = target()->GetFileSystem();
    system_clock_ = std::make_shared<Clock>();
}

void Environment::Schedule(
    void (*run)(void *), void *argument, Priority priority, void *tag, void (*cancel)(void *)) {
    jobs_.push_back(Job{run, argument, tag, cancel, priority});
}

int Environment::UnSchedule(void *tag, Priority priority) {
    int count = 0;
    std::deque<Job> left;
    for (const Job &job : std::exchange(jobs_, {})) {
        if (job.tag != tag || job.priority != priority) {
            left.push_back(job);
            continue;
        }
        if (job.cancel != nullptr) job.cancel(job.argument);
        ++count;
    }
    jobs_ = std::move(left);
    return count;
}

unsigned int Environment::GetThreadPoolQueueLen(Priority priority) const {
    unsigned int count = 0;
    for (const Job &job : jobs_) count += job.priority == priority ? 1 : 0;
    return count;
}

size_t Environment::run(size_t most) {
    size_t count = 0;
    while (count < most && !jobs_.empty()) {
        const Job job = jobs_.front();
        jobs_.pop_front();
        job.run(job.argument);
        ++count;
    }
    return count;
}

}  // namespace simulated
