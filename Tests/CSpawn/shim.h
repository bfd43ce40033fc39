// <spawn.h> shows it only to those who ask for GNU's extensions, which Swift does not.
#include <spawn.h>

/// Closes what the calling process has open from this number on, before the new program begins.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
