/// The wording of causes that many errors share, so that a cause reads the same in every message.
package enum CommonWords {
  /// The cause if a path leads nowhere and a file is needed.
  package static let missingFile = "there is no such file"
  /// The cause if a path leads nowhere and a file or a folder is needed.
  package static let missingPath = "there is no such file or folder"
  /// The cause if a path to be written is taken.
  package static let exists = "already exists"

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
