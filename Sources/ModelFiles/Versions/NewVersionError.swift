/// Why a new version could not be made; the bundle is as it was.
public enum NewVersionError: Error, Hashable, Sendable {
  /// The name can be no version's.
  case badName(String, reason: String)
  /// The bundle has a version of this name.
  case exists(name: String, bundle: String)
  /// The bundle is what Xcode builds, not what it edits.
  case compiled(bundle: String)
  /// Identifiers cannot be added to the editor's old archive.
  case archive(path: String)
  /// There is something in the way of the bundle that a single model becomes.
  case inTheWay(path: String)
  /// The version is what it was in the revision.
  case notEdited(path: String, revision: String)
  /// The revision has no such version.
  case notInRevision(path: String, revision: String)
  /// A model cannot be read.
  case model(ModelFileError)
  /// A file cannot be written.
  case unwritable(path: String, reason: String)
}

extension NewVersionError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .badName(let name, let reason):
      "“\(name)” can be no version's name: \(reason); choose another, or leave it out"
    case .exists(let name, let bundle):
      "\(bundle): has a version “\(name)”; choose another name, or leave it out"
    case .compiled(let bundle):
      "\(bundle): a compiled bundle; name the .xcdatamodeld it was built from with --model PATH"
    case .archive(let path):
      "\(path): the editor's archive from before XML, which can be copied and not edited; save the model in a newer "
        + "Xcode first, or leave --renaming-identifiers out"
    case .inTheWay(let path):
      "\(path): is in the way of the bundle that the model becomes; move it, or name it with --model PATH"
    case .notEdited(let path, let revision):
      "\(path): is what it was in \(revision), so there is nothing to restore; leave --restore out"
    case .notInRevision(let path, let revision):
      "\(path): not in \(revision); name the revision that shipped it, and find it with: git log --all -- PATH"
    case .model(let error): "\(error)"
    case .unwritable(let path, let reason):
      "\(path): cannot be written: \(reason); nothing was changed"
    }
  }
}
