#ifndef MODELCTL_FAULT_INJECTION_H
#define MODELCTL_FAULT_INJECTION_H

#include "RowDigest.h"

#include <stdint.h>

// An SQLite VFS over the default one that asks before, and tells after, every operation on files below watched folders.
// Files elsewhere go straight to the default VFS, so that other tests in the process notice nothing.

typedef enum {
  fault_operation_open,
  fault_operation_close,
  fault_operation_read,
  fault_operation_write,
  fault_operation_truncate,
  fault_operation_sync,
  fault_operation_size,
  fault_operation_lock,
  fault_operation_unlock,
  fault_operation_reserved_lock,
  fault_operation_delete,
  fault_operation_access,
  fault_operation_shared_map,
  fault_operation_shared_lock,
  fault_operation_shared_unmap
} fault_operation_kind;

typedef struct {
  fault_operation_kind kind;
  /// The absolute path; null for a temporary file.
  const char *path;
  /// A number of the open file that no other has; 0 for operations on names.
  int64_t file;
  /// SQLite's flags of an open or a sync; whether a delete is to synchronise the folder.
  int flags;
  /// What a write writes.
  const void *bytes;
  int64_t count;
  /// The place of a write; the new size of a truncate.
  int64_t offset;
} fault_operation;

typedef struct {
  /// SQLITE_OK lets the operation happen; anything else is its answer.
  int code;
  /// How many bytes a failing write writes all the same.
  int64_t torn;
} fault_verdict;

typedef fault_verdict (*fault_judge)(int64_t watch, const fault_operation *operation);
typedef void (*fault_witness)(int64_t watch, const fault_operation *operation);

/// Makes this VFS the default; once for a process.
int fault_vfs_install(fault_judge judge, fault_witness witness);

/// Watches a folder, and the temporary files that the calling thread's connections make; 0 when there are too many.
int64_t fault_vfs_watch(const char *folder);

/// Watches no longer; open files stay watched until they are closed.
void fault_vfs_forget(int64_t watch);

#endif
