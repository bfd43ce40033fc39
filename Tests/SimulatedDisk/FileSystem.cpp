#include "FileSystem.h"

#include <cerrno>
#include <cstring>

namespace simulated {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

/// A path without slashes that mean nothing.
std::string normal(const std::string &path) {
    std::string result;
    for (const char character : path) {
        if (character != '/' || result.empty() || result.back() != '/') result.push_back(character);
    }
    if (result.size() > 1 && result.back() == '/') result.pop_back();
    return result;
}

/// As RocksDB's file system for POSIX tells it.
IOStatus status(int error, const std::string &what, const std::string &path) {
    const std::string message = what + ": " + path;
    switch (error) {
        case 0: return IOStatus::OK();
        case ENOSPC: return IOStatus::NoSpace(message, std::strerror(error));
        case ENOENT: return IOStatus::PathNotFound(message, std::strerror(error));
        default: return IOStatus::IOError(message, std::strerror(error));
    }
}

class SequentialFile final : public rocksdb::FSSequentialFile {
  public:
    SequentialFile(Disk &disk, FileReference file) : disk_(disk), file_(std::move(file)) {}

    IOStatus Read(size_t count, const IOOptions &, Slice *result, char *scratch, IODebugContext *) override {
        const size_t given = disk_.read(file_, place_, scratch, count);
        place_ += given;
        *result = Slice(scratch, given);
        return IOStatus::OK();
    }

    IOStatus Skip(uint64_t count) override {
        place_ += count;
        return IOStatus::OK();
    }

  private:
    Disk &disk_;
    FileReference file_;
    uint64_t place_ = 0;
};

class RandomAccessFile final : public rocksdb::FSRandomAccessFile {
  public:
    RandomAccessFile(Disk &disk, FileReference file) : disk_(disk), file_(std::move(file)) {}

    IOStatus Read(
        uint64_t offset, size_t count, const IOOptions &, Slice *result, char *scratch,
        IODebugContext *) const override {
        *result = Slice(scratch, disk_.read(file_, offset, scratch, count));
        return IOStatus::OK();
    }

  private:
    Disk &disk_;
    FileReference file_;
};

class WritableFile final : public rocksdb::FSWritableFile {
  public:
    WritableFile(Disk &disk, std::string path, FileReference file)
        : disk_(disk), path_(std::move(path)), file_(std::move(file)) {}

    using FSWritableFile::Append;

    IOStatus Append(const Slice &data, const IOOptions &, IODebugContext *) override {
        const int error = disk_.write(path_, file_, file_->bytes.size(), data.data(), data.size());
        return status(error, "While appending to file", path_);
    }

    IOStatus Truncate(uint64_t count, const IOOptions &, IODebugContext *) override {
        return status(disk_.truncate(path_, file_, count), "While truncating file", path_);
    }

    IOStatus Close(const IOOptions &, IODebugContext *) override { return IOStatus::OK(); }
    IOStatus Flush(const IOOptions &, IODebugContext *) override { return IOStatus::OK(); }

    IOStatus Sync(const IOOptions &, IODebugContext *) override {
        return status(disk_.sync(path_, file_), "While fdatasync", path_);
    }

    bool IsSyncThreadSafe() const override { return true; }
    uint64_t GetFileSize(const IOOptions &, IODebugContext *) override { return file_->bytes.size(); }

  private:
    Disk &disk_;
    std::string path_;
    FileReference file_;
};

class Directory final : public rocksdb::FSDirectory {
  public:
    Directory(Disk &disk, std::string path) : disk_(disk), path_(std::move(path)) {}

    IOStatus Fsync(const IOOptions &, IODebugContext *) override {
        return status(disk_.syncFolder(path_), "While fsync", path_);
    }

  private:
    Disk &disk_;
    std::string path_;
};

class Lock final : public rocksdb::FileLock {
  public:
    explicit Lock(std::string path) : path(std::move(path)) {}
    const std::string path;
};

class FileSystem final : public rocksdb::FileSystem {
  public:
    explicit FileSystem(Disk &disk) : disk_(disk) {}

    const char *Name() const override { return "SimulatedDisk"; }

    IOStatus NewSequentialFile(
        const std::string &path, const FileOptions &, std::unique_ptr<rocksdb::FSSequentialFile> *result,
        IODebugContext *) override {
        FileReference file = disk_.find(normal(path));
        if (!file) return status(ENOENT, "While opening a file for sequentially reading", path);
        result->reset(new SequentialFile(disk_, std::move(file)));
        return IOStatus::OK();
    }

    IOStatus NewRandomAccessFile(
        const std::string &path, const FileOptions &, std::unique_ptr<rocksdb::FSRandomAccessFile> *result,
        IODebugContext *) override {
        FileReference file = disk_.find(normal(path));
        if (!file) return status(ENOENT, "While open a file for random read", path);
        result->reset(new RandomAccessFile(disk_, std::move(file)));
        return IOStatus::OK();
    }

    IOStatus NewWritableFile(
        const std::string &path, const FileOptions &, std::unique_ptr<rocksdb::FSWritableFile> *result,
        IODebugContext *) override {
        // RocksDB goes on without its file of options, and making it costs most of an opening's time.
        if (path.find("/OPTIONS-") != std::string::npos) return status(EROFS, "While open a file for appending", path);
        FileReference file;
        const int error = disk_.create(normal(path), &file);
        if (error == 0) result->reset(new WritableFile(disk_, normal(path), std::move(file)));
        return status(error, "While open a file for appending", path);
    }

    IOStatus ReopenWritableFile(
        const std::string &path, const FileOptions &options, std::unique_ptr<rocksdb::FSWritableFile> *result,
        IODebugContext *context) override {
        FileReference file = disk_.find(normal(path));
        if (!file) return NewWritableFile(path, options, result, context);
        result->reset(new WritableFile(disk_, normal(path), std::move(file)));
        return IOStatus::OK();
    }

    IOStatus NewDirectory(
        const std::string &path, const IOOptions &, std::unique_ptr<rocksdb::FSDirectory> *result,
        IODebugContext *) override {
        if (!disk_.isFolder(normal(path))) return status(ENOENT, "While open directory", path);
        result->reset(new Directory(disk_, normal(path)));
        return IOStatus::OK();
    }

    IOStatus FileExists(const std::string &path, const IOOptions &, IODebugContext *) override {
        return disk_.find(normal(path)) || disk_.isFolder(normal(path)) ? IOStatus::OK() : IOStatus::NotFound();
    }

    IOStatus GetChildren(
        const std::string &folder, const IOOptions &, std::vector<std::string> *result, IODebugContext *) override {
        if (!disk_.isFolder(normal(folder))) return status(ENOENT, "While opendir", folder);
        *result = disk_.names(normal(folder));
        return IOStatus::OK();
    }

    IOStatus DeleteFile(const std::string &path, const IOOptions &, IODebugContext *) override {
        return status(disk_.remove(normal(path)), "while unlink() file", path);
    }

    IOStatus CreateDir(const std::string &path, const IOOptions &, IODebugContext *) override {
        return status(disk_.makeFolder(normal(path)), "While mkdir", path);
    }

    IOStatus CreateDirIfMissing(const std::string &path, const IOOptions &, IODebugContext *) override {
        const int error = disk_.makeFolder(normal(path));
        return status(error == EEXIST ? 0 : error, "While mkdir if missing", path);
    }

    IOStatus DeleteDir(const std::string &path, const IOOptions &, IODebugContext *) override {
        return IOStatus::NotSupported("folders stay", path);
    }

    IOStatus GetFileSize(const std::string &path, const IOOptions &, uint64_t *size, IODebugContext *) override {
        const FileReference file = disk_.find(normal(path));
        if (!file) return status(ENOENT, "while stat a file for size", path);
        *size = file->bytes.size();
        return IOStatus::OK();
    }

    IOStatus GetFileModificationTime(const std::string &, const IOOptions &, uint64_t *time, IODebugContext *) override {
        *time = 0;
        return IOStatus::OK();
    }

    IOStatus RenameFile(
        const std::string &path, const std::string &target, const IOOptions &, IODebugContext *) override {
        return status(disk_.rename(normal(path), normal(target)), "While renaming a file to " + target, path);
    }

    IOStatus LinkFile(
        const std::string &path, const std::string &target, const IOOptions &, IODebugContext *) override {
        return status(disk_.link(normal(path), normal(target)), "while link file to " + target, path);
    }

    IOStatus LockFile(const std::string &path, const IOOptions &, rocksdb::FileLock **lock, IODebugContext *) override {
        FileReference file = disk_.find(normal(path));
        if (!file) {
            const int error = disk_.create(normal(path), &file);
            if (error != 0) return status(error, "while open a file for lock", path);
        }
        if (!disk_.locks.insert(normal(path)).second) return status(EAGAIN, "While lock file", path);
        *lock = new Lock(normal(path));
        return IOStatus::OK();
    }

    IOStatus UnlockFile(rocksdb::FileLock *lock, const IOOptions &, IODebugContext *) override {
        disk_.locks.erase(static_cast<Lock *>(lock)->path);
        delete lock;
        return IOStatus::OK();
    }

    IOStatus GetTestDirectory(const IOOptions &, std::string *path, IODebugContext *) override {
        *path = "/";
        return IOStatus::OK();
    }

    IOStatus GetAbsolutePath(const std::string &path, const IOOptions &, std::string *result, IODebugContext *) override {
        *result = path;
        return IOStatus::OK();
    }

    IOStatus IsDirectory(const std::string &path, const IOOptions &, bool *is, IODebugContext *) override {
        *is = disk_.isFolder(normal(path));
        return IOStatus::OK();
    }

    IOStatus GetFreeSpace(const std::string &, const IOOptions &, uint64_t *bytes, IODebugContext *) override {
        *bytes = disk_.capacity > disk_.used() ? disk_.capacity - disk_.used() : 0;
        return IOStatus::OK();
    }

  private:
    Disk &disk_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> makeFileSystem(Disk &disk) { return std::make_shared<FileSystem>(disk); }

}  // namespace simulated
