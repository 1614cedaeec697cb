import CSQLiteConnection

/// How SQLite allocates memory in this process.
package enum SQLiteMemory {
  /// Has SQLite not count its bytes, for which the connections of all threads wait for each other.
  ///
  /// It belongs to the program, not to a library in it: the count is one for the process. It does nothing once SQLite is in
  /// use. Source: https://www.sqlite.org/c3ref/c_config_covering_index_scan.html, `SQLITE_CONFIG_MEMSTATUS`.
  package static func stopCounting() { _ = modelctl_count_no_memory() }
}
