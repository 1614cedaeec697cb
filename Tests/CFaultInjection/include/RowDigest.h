#ifndef MODELCTL_ROW_DIGEST_H
#define MODELCTL_ROW_DIGEST_H

#include <stdint.h>

typedef struct sqlite3 sqlite3;

/// A number that depends on the values and types of all rows of a query and not on their order; -1 when it fails.
int64_t modelctl_row_digest(sqlite3 *connection, const char *query);

#endif
