#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// SQLite would wait for somebody to write into a pipe that took the place of a file.
static inline int modelctl_open_no_pipe(const char *path, int flags, int mode) {
  int file = open(path, flags | O_NONBLOCK, mode);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0 || !S_ISFIFO(status.st_mode)) return file;
  close(file);
  errno = ENXIO;
  return -1;
}

// Lets SQLite open no pipe in this process, whoever uses it.
static inline int modelctl_refuse_pipes(void) {
  sqlite3_initialize();
  sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
  if (vfs == 0 || vfs->iVersion < 3 || vfs->xSetSystemCall == 0) return SQLITE_NOTFOUND;
  return vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)modelctl_open_no_pipe);
}

// sqlite3_db_config is variadic, so that Swift cannot call it.
static inline int modelctl_set_checkpoint_on_close(sqlite3 *connection, int checkpoints) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, checkpoints ? 0 : 1, (int *)0);
}

static inline int modelctl_enable_triggers(sqlite3 *connection, int enabled) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, enabled, (int *)0);
}

// The count of the bytes in use is guarded by one lock for the whole process, at which connections of all threads queue.
static inline int modelctl_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// What macOS refuses unless it is asked for: a statement of a plan that changes the text of a table's definition.
static inline int modelctl_allow_schema_writing(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)0);
}

// Reads a file by the connection's own descriptor: closing another one would drop the locks that this process has on it.
// What lies behind the end is zero.
static inline int modelctl_read_file(sqlite3 *connection, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  code = file->pMethods->xRead(file, bytes, count, offset);
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

// 0 for bytes that are no UTF-8 by RFC 3629: overlong forms, surrogates and what lies beyond U+10FFFF are none.
static inline int modelctl_is_utf8(const unsigned char *bytes, int count) {
  int place = 0;
  while (place < count) {
    unsigned long long word = ~0ULL;
    if (count - place >= 8) memcpy(&word, bytes + place, 8);
    if ((word & 0x8080808080808080ULL) == 0) {
      place += 8;
      continue;
    }
    const unsigned char first = bytes[place];
    if (first < 0x80) {
      place += 1;
      continue;
    }
    int length = 0;
    if (first >= 0xC2 && first <= 0xDF) length = 2;
    if (first >= 0xE0 && first <= 0xEF) length = 3;
    if (first >= 0xF0 && first <= 0xF4) length = 4;
    if (length == 0 || count - place < length) return 0;
    const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (bytes[place + 1] < least || bytes[place + 1] > most) return 0;
    for (int next = 2; next < length; next++) {
      if ((bytes[place + next] & 0xC0) != 0x80) return 0;
    }
    place += length;
  }
  return 1;
}

// The SQL function modelctl_is_utf8 of one value: 0 for a text that is no UTF-8, 1 for every other value.
static inline void modelctl_answer_is_utf8(sqlite3_context *context, int count, sqlite3_value **values) {
  int answer = 1;
  if (count == 1 && sqlite3_value_type(values[0]) == SQLITE_TEXT) {
    const unsigned char *bytes = sqlite3_value_text(values[0]);
    if (bytes == 0) {
      sqlite3_result_error_nomem(context);
      return;
    }
    answer = modelctl_is_utf8(bytes, sqlite3_value_bytes(values[0]));
  }
  sqlite3_result_int(context, answer);
}

// Gives a connection the function, which it may have already.
static inline int modelctl_add_is_utf8(sqlite3 *connection) {
  return sqlite3_create_function_v2(
      connection, "modelctl_is_utf8", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, modelctl_answer_is_utf8, 0, 0, 0);
}

// The rows that an aggregate has seen: their number, a sum that no order changes, and the last one.
typedef struct {
  sqlite3_int64 count;
  unsigned long long sum;
  int unordered;
  int last_count;
  sqlite3_value **last;
} ModelctlRows;

static inline unsigned long long modelctl_mix(unsigned long long hash, const void *bytes, int count) {
  const unsigned char *place = (const unsigned char *)bytes;
  for (int next = 0; next < count; next++) hash = (hash ^ place[next]) * 0x100000001B3ULL;
  return hash;
}

// Numbers that are equal have one hash, whether they are stored as whole ones or not.
static inline unsigned long long modelctl_mix_value(unsigned long long hash, sqlite3_value *value) {
  int type = sqlite3_value_type(value);
  double real = type == SQLITE_FLOAT ? sqlite3_value_double(value) : 0;
  int is_whole = type == SQLITE_FLOAT && real > -9e15 && real < 9e15 && real == (double)(sqlite3_int64)real;
  sqlite3_int64 integer = is_whole ? (sqlite3_int64)real : type == SQLITE_INTEGER ? sqlite3_value_int64(value) : 0;
  unsigned char kind = (unsigned char)(is_whole ? SQLITE_INTEGER : type);
  hash = modelctl_mix(hash, &kind, 1);
  if (kind == SQLITE_INTEGER) return modelctl_mix(hash, &integer, sizeof integer);
  if (kind == SQLITE_FLOAT) return modelctl_mix(hash, &real, sizeof real);
  if (kind == SQLITE_NULL) return hash;
  const void *bytes = kind == SQLITE_TEXT ? (const void *)sqlite3_value_text(value) : sqlite3_value_blob(value);
  int count = sqlite3_value_bytes(value);
  hash = modelctl_mix(hash, &count, sizeof count);
  return bytes ? modelctl_mix(hash, bytes, count) : hash;
}

// A whole number and another one in the order that SQLite gives them, exactly: a double cannot tell those beyond 2^53 apart.
static inline int modelctl_compare_mixed(sqlite3_int64 integer, double real) {
  if (real < -9223372036854775808.0) return 1;
  if (real >= 9223372036854775808.0) return -1;
  sqlite3_int64 whole = (sqlite3_int64)real;
  if (integer != whole) return integer < whole ? -1 : 1;
  double fraction = real - (double)whole;
  return fraction > 0 ? -1 : fraction < 0;
}

// The order of SQLite with the collation BINARY: nothing, numbers, texts, bytes.
static inline int modelctl_compare(sqlite3_value *first, sqlite3_value *second) {
  static const int ranks[] = {0, 1, 1, 2, 3, 0};
  int types[2] = {sqlite3_value_type(first), sqlite3_value_type(second)};
  int ranked[2] = {ranks[types[0]], ranks[types[1]]};
  if (ranked[0] != ranked[1]) return ranked[0] < ranked[1] ? -1 : 1;
  if (ranked[0] == 0) return 0;
  if (ranked[0] == 1) {
    if (types[0] == SQLITE_INTEGER && types[1] == SQLITE_INTEGER) {
      sqlite3_int64 one = sqlite3_value_int64(first), other = sqlite3_value_int64(second);
      return one < other ? -1 : one > other;
    }
    if (types[0] == SQLITE_INTEGER) {
      return modelctl_compare_mixed(sqlite3_value_int64(first), sqlite3_value_double(second));
    }
    if (types[1] == SQLITE_INTEGER) {
      return -modelctl_compare_mixed(sqlite3_value_int64(second), sqlite3_value_double(first));
    }
    double one = sqlite3_value_double(first), other = sqlite3_value_double(second);
    return one < other ? -1 : one > other;
  }
  const void *bytes[2] = {sqlite3_value_blob(first), sqlite3_value_blob(second)};
  int counts[2] = {sqlite3_value_bytes(first), sqlite3_value_bytes(second)};
  int least = counts[0] < counts[1] ? counts[0] : counts[1];
  int result = least ? memcmp(bytes[0], bytes[1], (size_t)least) : 0;
  return result ? result : counts[0] < counts[1] ? -1 : counts[0] > counts[1];
}

// The first value has a letter for each of the others: a for ascending, d for descending, - where no order is expected.
static inline void modelctl_step_rows(sqlite3_context *context, int count, sqlite3_value **values) {
  ModelctlRows *rows = (ModelctlRows *)sqlite3_aggregate_context(context, sizeof *rows);
  const char *order = (const char *)sqlite3_value_text(values[0]);
  if (rows == 0 || order == 0 || sqlite3_value_bytes(values[0]) != count - 1) {
    sqlite3_result_error(context, "modelctl_rows wants a letter for each value", -1);
    return;
  }
  unsigned long long hash = 0xCBF29CE484222325ULL;
  for (int next = 1; next < count; next++) hash = modelctl_mix_value(hash, values[next]);
  hash ^= hash >> 31;
  hash *= 0x9E3779B97F4A7C15ULL;
  rows->sum += hash ^ (hash >> 29);
  rows->count++;
  if (order[0] == '-' || rows->unordered) return;
  for (int next = 1; rows->last && next < count; next++) {
    int result = modelctl_compare(rows->last[next - 1], values[next]);
    if (result == 0) continue;
    if ((result > 0) == (order[next - 1] == 'a')) rows->unordered = 1;
    break;
  }
  if (rows->last == 0) {
    rows->last = (sqlite3_value **)sqlite3_malloc(sizeof(sqlite3_value *) * (count - 1));
    if (rows->last == 0) {
      sqlite3_result_error_nomem(context);
      return;
    }
    rows->last_count = count - 1;
    memset(rows->last, 0, sizeof(sqlite3_value *) * (size_t)(count - 1));
  }
  for (int next = 1; next < count; next++) {
    sqlite3_value_free(rows->last[next - 1]);
    rows->last[next - 1] = sqlite3_value_dup(values[next]);
    if (rows->last[next - 1] == 0) {
      sqlite3_result_error_nomem(context);
      return;
    }
  }
}

static inline void modelctl_end_rows(sqlite3_context *context) {
  ModelctlRows *rows = (ModelctlRows *)sqlite3_aggregate_context(context, 0);
  char text[64];
  if (rows == 0) {
    sqlite3_result_text(context, "0:0", -1, SQLITE_STATIC);
    return;
  }
  sqlite3_snprintf(sizeof text, text, rows->unordered ? "unordered" : "%lld:%llx", rows->count, rows->sum);
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
  for (int next = 0; next < rows->last_count; next++) sqlite3_value_free(rows->last[next]);
  sqlite3_free(rows->last);
  rows->last = 0;
  rows->last_count = 0;
}

// Gives a connection the aggregate modelctl_rows, by which the entries of an index are held against the rows of its table.
static inline int modelctl_add_rows(sqlite3 *connection) {
  return sqlite3_create_function_v2(
      connection, "modelctl_rows", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, 0, modelctl_step_rows, modelctl_end_rows, 0);
}

#if defined(__linux__)
#include <fcntl.h>
#include <signal.h>

// 1 when nothing but this connection has its file open, which the kernel says by giving it a lease on the file, and 0
// when something may. The lease is given back at once. Closing no descriptor, it leaves the locks of this process alone.
// Who opens the file in that moment has to wait; the kernel reports that by a signal that nobody needs to handle.
static inline int modelctl_is_only_opener(int descriptor) {
  const int set_signal = 10 /* F_SETSIG */, set_lease = 1024 /* F_SETLEASE */;
  if (fcntl(descriptor, set_signal, SIGURG) != 0) return 0;
  int is_leased = fcntl(descriptor, set_lease, F_WRLCK) == 0;
  if (is_leased && fcntl(descriptor, set_lease, F_UNLCK) != 0) is_leased = 0;
  fcntl(descriptor, set_signal, 0);
  return is_leased;
}

// glibc declares it only where _GNU_SOURCE is defined.
extern int sync_file_range(int descriptor, long offset, long count, unsigned int flags);

// Has the system begin to write to the disk what it keeps of a file in memory.
static inline int modelctl_begin_writing(int descriptor) {
  return sync_file_range(descriptor, 0, 0, 2 /* SYNC_FILE_RANGE_WRITE */);
}
#endif
