import Foundation

extension CommandError {
  /// What the system says of a file or folder that could not be made, and what to do.
  static func unwritable(_ path: String, _ error: any Error) -> CommandError {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard (try? folder.checkResourceIsReachable()) == true else {
      return .unwritable(path: path, reason: "there is no folder “\(folder.relativePath)”; make it first")
    }
    let reason = error.localizedDescription
    return .unwritable(
      path: path,
      reason: "\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason); free some space or name another file")
  }
}
