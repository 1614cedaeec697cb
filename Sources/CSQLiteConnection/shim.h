#include <sqlite3.h>

// sqlite3_db_config is variadic, so that Swift cannot call it.
static inline int modelctl_set_checkpoint_on_close(sqlite3 *connection, int checkpoints) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, checkpoints ? 0 : 1, (int *)0);
}
