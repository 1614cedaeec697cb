import Foundation

/// Where results may go: the one rule of all commands that write into a file somebody names.
enum OutputPlace {
  /// Refuses a path at which a store, what belongs to one, a model, a mapping model or a lock file would be replaced.
  ///
  /// - Parameters:
  ///   - path: where a result is to go.
  ///   - reserved: what the command reads or makes.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  static func check(_ path: String, besides reserved: ReservedFiles = ReservedFiles()) throws(CommandError) {
    guard !isPipe(path), let reason = ProtectedContent.refusal(at: path) ?? reserved.refusal(for: path) else { return }
    throw .unwritable(path: path, reason: "\(reason); name another file")
  }

  /// True for what is no file, such as a pipe or a device, also where `/dev/stdout` leads to it.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }
}
