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
      reason: "\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason); \(advice(for: error as NSError, folder))")
  }

  /// What to do, by the cause: room and permissions are not each other's remedy.
  private static func advice(for error: NSError, _ folder: URL) -> String {
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    let isFull =
      error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteOutOfSpace.rawValue
      || cause.domain == NSPOSIXErrorDomain && [Int(ENOSPC), Int(EDQUOT)].contains(cause.code)
    if isFull { return "free some space or name another file" }
    let isForbidden =
      error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteNoPermission.rawValue
      || cause.domain == NSPOSIXErrorDomain && [Int(EACCES), Int(EPERM)].contains(cause.code)
    return isForbidden
      ? "look at the permissions of the folder “\(folder.relativePath)”, or name another file" : "name another file"
  }
}
