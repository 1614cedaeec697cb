#include "CFaultInjection.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { watch_limit = 64 };

typedef struct {
  int64_t number;
  char *folder;
} watched_folder;

typedef struct {
  sqlite3_file base;
  sqlite3_io_methods methods;
  int64_t watch;
  int64_t number;
  char *path;
  sqlite3_file *real;
} watched_file;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static watched_folder watches[watch_limit];
static atomic_llong last_number;
static _Thread_local int64_t temporary_watch;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs fault_vfs;
static fault_judge judge_operation;
static fault_witness witness_operation;

static int64_t watch_of(const char *path) {
  if (path == NULL) return temporary_watch;
  int64_t found = 0;
  pthread_mutex_lock(&guard);
  for (int i = 0; i < watch_limit && found == 0; i++) {
    if (watches[i].folder == NULL) continue;
    size_t length = strlen(watches[i].folder);
    if (strncmp(path, watches[i].folder, length) == 0 && path[length] == '/') found = watches[i].number;
  }
  pthread_mutex_unlock(&guard);
  return found;
}

int64_t fault_vfs_watch(const char *folder) {
  int64_t number = 0;
  pthread_mutex_lock(&guard);
  for (int i = 0; i < watch_limit && number == 0; i++) {
    if (watches[i].folder != NULL) continue;
    number = atomic_fetch_add(&last_number, 1) + 1;
    watches[i].number = number;
    watches[i].folder = strdup(folder);
  }
  pthread_mutex_unlock(&guard);
  temporary_watch = number;
  return number;
}

void fault_vfs_forget(int64_t watch) {
  pthread_mutex_lock(&guard);
  for (int i = 0; i < watch_limit; i++) {
    if (watches[i].folder == NULL || watches[i].number != watch) continue;
    free(watches[i].folder);
    watches[i].folder = NULL;
  }
  pthread_mutex_unlock(&guard);
  if (temporary_watch == watch) temporary_watch = 0;
}

static fault_operation about(watched_file *file, fault_operation_kind kind) {
  fault_operation operation = {.kind = kind, .path = file->path, .file = file->number};
  return operation;
}

// Asks, does, tells: `CALL` is the real operation, its result in `code`.
#define WATCHED(OPERATION, CALL)                                             \
  do {                                                                       \
    fault_verdict verdict = judge_operation(watched->watch, &(OPERATION));   \
    if (verdict.code != SQLITE_OK) return verdict.code;                      \
    int code = (CALL);                                                       \
    if (code == SQLITE_OK) witness_operation(watched->watch, &(OPERATION));  \
    return code;                                                             \
  } while (0)

// What is closed is closed, whatever is answered: a lost descriptor would keep its locks.
static int close_file(sqlite3_file *file) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_close);
  fault_verdict verdict = judge_operation(watched->watch, &operation);
  int code = watched->real->pMethods ? watched->real->pMethods->xClose(watched->real) : SQLITE_OK;
  witness_operation(watched->watch, &operation);
  free(watched->path);
  watched->path = NULL;
  return verdict.code != SQLITE_OK ? verdict.code : code;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_read);
  fault_verdict verdict = judge_operation(watched->watch, &operation);
  if (verdict.code != SQLITE_OK) return verdict.code;
  return watched->real->pMethods->xRead(watched->real, bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_write);
  operation.bytes = bytes;
  operation.count = count;
  operation.offset = offset;
  fault_verdict verdict = judge_operation(watched->watch, &operation);
  if (verdict.code != SQLITE_OK) {
    operation.count = verdict.torn < count ? verdict.torn : count;
    if (operation.count <= 0) return verdict.code;
  }
  int code = watched->real->pMethods->xWrite(watched->real, bytes, (int)operation.count, offset);
  if (code == SQLITE_OK) witness_operation(watched->watch, &operation);
  return verdict.code != SQLITE_OK ? verdict.code : code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_truncate);
  operation.offset = size;
  WATCHED(operation, watched->real->pMethods->xTruncate(watched->real, size));
}

static int sync_file(sqlite3_file *file, int flags) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_sync);
  operation.flags = flags;
  WATCHED(operation, watched->real->pMethods->xSync(watched->real, flags));
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_size);
  WATCHED(operation, watched->real->pMethods->xFileSize(watched->real, size));
}

static int lock_file(sqlite3_file *file, int level) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_lock);
  WATCHED(operation, watched->real->pMethods->xLock(watched->real, level));
}

static int unlock_file(sqlite3_file *file, int level) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_unlock);
  WATCHED(operation, watched->real->pMethods->xUnlock(watched->real, level));
}

static int check_reserved_lock(sqlite3_file *file, int *isHeld) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_reserved_lock);
  WATCHED(operation, watched->real->pMethods->xCheckReservedLock(watched->real, isHeld));
}

static int control_file(sqlite3_file *file, int code, void *argument) {
  watched_file *watched = (watched_file *)file;
  return watched->real->pMethods->xFileControl(watched->real, code, argument);
}

static int sector_size(sqlite3_file *file) {
  watched_file *watched = (watched_file *)file;
  return watched->real->pMethods->xSectorSize(watched->real);
}

static int device_characteristics(sqlite3_file *file) {
  watched_file *watched = (watched_file *)file;
  return watched->real->pMethods->xDeviceCharacteristics(watched->real);
}

static int map_shared(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_shared_map);
  *memory = NULL;
  WATCHED(operation, watched->real->pMethods->xShmMap(watched->real, region, size, extends, memory));
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_shared_lock);
  // A lock that is given back is given back.
  if (flags & SQLITE_SHM_UNLOCK) return watched->real->pMethods->xShmLock(watched->real, offset, count, flags);
  WATCHED(operation, watched->real->pMethods->xShmLock(watched->real, offset, count, flags));
}

static void barrier_shared(sqlite3_file *file) {
  watched_file *watched = (watched_file *)file;
  watched->real->pMethods->xShmBarrier(watched->real);
}

static int unmap_shared(sqlite3_file *file, int deletes) {
  watched_file *watched = (watched_file *)file;
  fault_operation operation = about(watched, fault_operation_shared_unmap);
  operation.flags = deletes;
  fault_verdict verdict = judge_operation(watched->watch, &operation);
  int code = watched->real->pMethods->xShmUnmap(watched->real, verdict.code == SQLITE_OK ? deletes : 0);
  witness_operation(watched->watch, &operation);
  return verdict.code != SQLITE_OK ? verdict.code : code;
}

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags) {
  int64_t watch = watch_of(path);
  if (watch == 0) return real_vfs->xOpen(real_vfs, path, file, flags, outFlags);
  (void)vfs;
  watched_file *watched = (watched_file *)file;
  memset(watched, 0, sizeof(watched_file));
  watched->watch = watch;
  watched->number = atomic_fetch_add(&last_number, 1) + 1;
  watched->path = path ? strdup(path) : NULL;
  watched->real = (sqlite3_file *)(watched + 1);
  watched->real->pMethods = NULL;
  fault_operation operation = about(watched, fault_operation_open);
  operation.flags = flags;
  fault_verdict verdict = judge_operation(watch, &operation);
  int code = verdict.code;
  if (code == SQLITE_OK) code = real_vfs->xOpen(real_vfs, path, watched->real, flags, outFlags);
  if (code != SQLITE_OK) {
    if (watched->real->pMethods) watched->real->pMethods->xClose(watched->real);
    free(watched->path);
    watched->path = NULL;
    return code;
  }
  watched->methods = (sqlite3_io_methods){
    .iVersion = watched->real->pMethods->iVersion >= 2 ? 2 : 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = barrier_shared,
    .xShmUnmap = unmap_shared,
  };
  watched->base.pMethods = &watched->methods;
  witness_operation(watch, &operation);
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncsFolder) {
  (void)vfs;
  int64_t watch = watch_of(path);
  if (watch == 0) return real_vfs->xDelete(real_vfs, path, syncsFolder);
  fault_operation operation = {.kind = fault_operation_delete, .path = path, .flags = syncsFolder};
  fault_verdict verdict = judge_operation(watch, &operation);
  if (verdict.code != SQLITE_OK) return verdict.code;
  int code = real_vfs->xDelete(real_vfs, path, syncsFolder);
  if (code == SQLITE_OK) witness_operation(watch, &operation);
  return code;
}

static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  (void)vfs;
  int64_t watch = watch_of(path);
  if (watch == 0) return real_vfs->xAccess(real_vfs, path, flags, answer);
  fault_operation operation = {.kind = fault_operation_access, .path = path, .flags = flags};
  fault_verdict verdict = judge_operation(watch, &operation);
  if (verdict.code != SQLITE_OK) return verdict.code;
  return real_vfs->xAccess(real_vfs, path, flags, answer);
}

int fault_vfs_install(fault_judge judge, fault_witness witness) {
  judge_operation = judge;
  witness_operation = witness;
  real_vfs = sqlite3_vfs_find(NULL);
  if (real_vfs == NULL) return SQLITE_ERROR;
  fault_vfs = *real_vfs;
  fault_vfs.pNext = NULL;
  fault_vfs.zName = "modelctl-faults";
  fault_vfs.szOsFile = (int)sizeof(watched_file) + real_vfs->szOsFile;
  fault_vfs.xOpen = open_file;
  fault_vfs.xDelete = delete_file;
  fault_vfs.xAccess = access_file;
  return sqlite3_vfs_register(&fault_vfs, 1);
}
