public import ModelChecks
public import ModelDescription
public import ModelFiles

/// What is worth saying while a ``Workspace`` is read, and keeps nothing from going on.
public enum WorkspaceNotice: Sendable {
  /// Git cannot say in which order versions were added.
  case unknownOrder(VersionEvidence.Gap)
  /// A bundle cannot be used and is left out.
  case bundleLeftOut(ModelFileError)
  /// A version cannot be used and is left out.
  case versionLeftOut(VersionError)
  /// A folder has more folders than are looked into.
  case tooManyFolders(folder: String)
  /// An element looks renamed, and its file cannot be given the renaming identifier.
  case looksRenamed(ModelElement, identifier: String)
  /// A revision of git and `HEAD` have no commit in common here.
  case noMergeBase(revision: String)
  /// A version was found under a name in other letters' case.
  case respelled(String, name: String)

  /// True when something is missing from what was read.
  public var isWarning: Bool {
    switch self {
    case .unknownOrder, .noMergeBase, .respelled: false
    case .bundleLeftOut, .versionLeftOut, .tooManyFolders, .looksRenamed: true
    }
  }
}

extension WorkspaceNotice: CustomStringConvertible {
  /// A sentence without a full stop.
  public var description: String {
    switch self {
    case .unknownOrder(let gap): "\(gap)"
    case .bundleLeftOut(let error): "left out: \(error)"
    case .versionLeftOut(let failure): "left out: \(WorkspaceError.brokenVersion(failure))"
    case .tooManyFolders(let folder):
      "\(folder): has more folders than are looked into; name a bundle, or a folder in it, with --model PATH"
    case .noMergeBase(let revision):
      """
      this clone has no history in which \(revision) and HEAD meet, so they are compared as they are: a version that is \
      newer there looks deleted here; fetch the history with: git fetch --unshallow
      """
    case .looksRenamed(let element, let identifier):
      "\(element) looks renamed; without the renaming identifier “\(identifier)” its data would be lost"
    case .respelled(let text, let name): "“\(text)” is taken for \(name)"
    }
  }
}

extension WorkspaceNotice {
  /// The notice that a name is taken for one of others that it is but for case; nil otherwise.
  package static func respelling(of text: String, as names: [String]) -> WorkspaceNotice? {
    guard !names.contains(text), let name = names.first(where: { VersionLookup.isRespelled(text, $0) }) else {
      return nil
    }
    return .respelled(text, name: name)
  }
}

extension VersionLookup {
  /// The position of the only version that a name means.
  ///
  /// - Parameters:
  ///   - text: the name.
  ///   - names: the names of the versions.
  ///   - report: takes the notice where the name is in other letters' case.
  /// - Returns: the position, nil for a name that means none or several.
  package static func position(
    of text: String, in names: [String], report: (WorkspaceNotice) -> Void
  ) -> Int? {
    let positions = positions(of: text, in: names)
    guard positions.count == 1, let position = positions.first else { return nil }
    WorkspaceNotice.respelling(of: text, as: [names[position]]).map(report)
    return position
  }
}
