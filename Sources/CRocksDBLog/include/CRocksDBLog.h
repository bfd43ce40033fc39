// Takes what RocksDB would write to its file LOG, and keeps the last warnings in memory. RocksDB's own logger asserts that the
// disk takes what it writes, and Debian builds it with assertions: on a full disk the second line would end the process. The
// C interface has no way to do without, or to give a logger of one's own.
#ifndef CROCKSDBLOG_H
#define CROCKSDBLOG_H

#include <rocksdb/c.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ration_rocksdb_log ration_rocksdb_log;

ration_rocksdb_log *ration_rocksdb_log_create(void);

/// A database that uses it may still be open, and keeps what it needs.
void ration_rocksdb_log_destroy(ration_rocksdb_log *log);

/// Makes databases that are opened with the options write to it.
void ration_rocksdb_log_use(ration_rocksdb_log *log, rocksdb_options_t *options);

/// Copies the last warning or error that has a word in it.
/// @return its length; 0 when there is none. At most `capacity` bytes are copied.
size_t ration_rocksdb_log_last(ration_rocksdb_log *log, const char *word, char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
