import ModelDescription
import PersistentStores

/// A question to the rows of a store as one types it in a shell.
struct RowQuestion {
  /// The command; the store's path is the reader's to fill in.
  let command: String

  init(_ query: String) { command = "sqlite3 STORE \(ShellWord(query).text)" }
}
