#include <sqlite3.h>
#include <string.h>

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
