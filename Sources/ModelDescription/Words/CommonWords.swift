import Foundation

/// The wording of causes that many errors share, so that a cause reads the same in every message.
package enum CommonWords {
  /// The cause if a path leads nowhere and a file is needed.
  package static let missingFile = "there is no such file"
  /// The cause if a path leads nowhere and a file or a folder is needed.
  package static let missingPath = "there is no such file or folder"
  /// The cause if a path to be written is taken.
  package static let exists = "already exists"

  /// The cause of a failed operation on a file, such as `permission denied`.
  ///
  /// Foundation puts a sentence about the operation before the cause, in other words on each system.
  package static func cause(of error: any Error) -> String {
    var next: NSError? = error as NSError
    while let current = next {
      switch (current.domain, current.code) {
      case (NSPOSIXErrorDomain, let code): return systemCause(Int32(truncatingIfNeeded: code))
      case (NSCocoaErrorDomain, CocoaError.fileWriteNoPermission.rawValue),
        (NSCocoaErrorDomain, CocoaError.fileReadNoPermission.rawValue):
        return systemCause(EACCES)
      case (NSCocoaErrorDomain, CocoaError.fileWriteOutOfSpace.rawValue): return systemCause(ENOSPC)
      default: next = (current.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
      }
    }
    let text = error.localizedDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private static func systemCause(_ code: Int32) -> String {
    if code == ENOENT { return missingPath }
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The cause if a name is unknown: `v1 has no entity “Oder”; nearest: Order`.
  ///
  /// - Parameters:
  ///   - kind: the kind of the name, such as `entity`.
  ///   - owner: the owner of the names, such as a version or an entity.
  ///   - near: the names from ``NearNames`` that are alike; none if no name is.
  package static func unknown(_ kind: String, _ name: String, in owner: String, near: [String]) -> String {
    "\(owner) has no \(kind) “\(name)”\(NearNames.clause(near))"
  }
}
