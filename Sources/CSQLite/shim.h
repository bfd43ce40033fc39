#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast, which Swift does not import.
static inline sqlite3_destructor_type ration_sqlite_transient(void) { return SQLITE_TRANSIENT; }
