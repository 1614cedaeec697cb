#include "RowDigest.h"

#include <sqlite3.h>

static uint64_t mixed(uint64_t digest, const unsigned char *bytes, int count) {
  for (int i = 0; i < count; i++) digest = (digest ^ bytes[i]) * 0x100000001B3ULL;
  return digest;
}

int64_t modelctl_row_digest(sqlite3 *connection, const char *query) {
  sqlite3_stmt *statement = 0;
  if (sqlite3_prepare_v2(connection, query, -1, &statement, 0) != SQLITE_OK) return -1;
  uint64_t sum = 0;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    uint64_t digest = 0xCBF29CE484222325ULL;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
      unsigned char type = (unsigned char)sqlite3_column_type(statement, i);
      digest = mixed(digest, &type, 1);
      if (type == SQLITE_INTEGER) {
        sqlite3_int64 number = sqlite3_column_int64(statement, i);
        digest = mixed(digest, (unsigned char *)&number, (int)sizeof(number));
      } else if (type == SQLITE_FLOAT) {
        double number = sqlite3_column_double(statement, i);
        digest = mixed(digest, (unsigned char *)&number, (int)sizeof(number));
      } else if (type != SQLITE_NULL) {
        const unsigned char *bytes = sqlite3_column_blob(statement, i);
        digest = mixed(digest, bytes, sqlite3_column_bytes(statement, i));
      }
    }
    sum += digest;
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? (int64_t)(sum & INT64_MAX) : -1;
}
