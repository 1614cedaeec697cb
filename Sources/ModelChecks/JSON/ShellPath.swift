import PersistentStores

/// A path in a command that is shown.
enum ShellPath {
  /// The path as a shell takes it, whatever it holds; bare where that is the same.
  static func quoted(_ path: String) -> String { ShellWord(path: path).text }
}
