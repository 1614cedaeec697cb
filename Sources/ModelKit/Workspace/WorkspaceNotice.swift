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
  /// A name is that of a bundle, which is meant, and of versions.
  case bundleNamed(String, current: String?, versions: [String])
  /// A name is that of a folder too, which is not meant.
  case folderNamed(String, taken: String)

  /// True when something is missing from what was read.
  public var isWarning: Bool {
    switch self {
    case .unknownOrder, .noMergeBase, .respelled, .bundleNamed, .folderNamed: false
    case .bundleLeftOut, .versionLeftOut, .tooManyFolders, .looksRenamed: true
    }
  }
}

extension WorkspaceNotice: CustomStringConvertible {
  /// A sentence without a full stop.
  public var description: String {
    switch self {
    case .unknownOrder(let gap): "\(gap)"
    case .bundleLeftOut(let error): "left out: \(ErrorLine.text(error))"
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
    case .bundleNamed(let name, let current, let versions):
      "“\(name)” is the bundle\(current.map { ", at its current version \($0)" } ?? ""); "
        + "the version of that name is \(versions.joined(separator: " or "))"
    case .folderNamed(let name, let taken):
      "“\(name)” is taken for \(taken); write \(ShellWord("./\(name)").text) for the folder of that name"
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

  /// The notice that a bare name is taken for a bundle although versions have it; nil if none has, or the current one.
  ///
  /// - Parameter current: the current version of the bundle, nil if it is not known.
  package static func bundleName(
    _ name: String, among versions: [(bundle: String, name: String)], current: String?
  ) -> WorkspaceNotice? {
    guard current != name else { return nil }
    let others = versions.filter { $0.name == name }.map { "\($0.bundle)@\($0.name)" }
    return others.isEmpty ? nil : .bundleNamed(name, current: current, versions: Set(others).sorted())
  }
}

extension VersionLookup {
  /// The position of the only version that a name means.
  ///
  /// - Parameter report: takes the notice where the name is in other letters' case.
  /// - Returns: the position, nil for a name that means none or several.
  package static func position(of text: String, in names: [String], report: (WorkspaceNotice) -> Void) -> Int? {
    let positions = positions(of: text, in: names)
    guard positions.count == 1, let position = positions.first else { return nil }
    WorkspaceNotice.respelling(of: text, as: [names[position]]).map(report)
    return position
  }
}
