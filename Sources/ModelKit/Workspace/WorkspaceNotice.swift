public import ModelChecks
public import ModelDescription
public import ModelFiles

/// A notice of a ``Workspace`` that is being read; reading continues.
public enum WorkspaceNotice: Sendable {
  /// The order in which versions were added is unknown.
  case unknownOrder(VersionEvidence.Gap)
  /// A bundle cannot be used and is skipped.
  case bundleLeftOut(ModelFileError)
  /// A version cannot be used and is skipped.
  case versionLeftOut(VersionError)
  /// A folder has more subfolders than are searched.
  case tooManyFolders(folder: String)
  /// An element looks renamed, but the renaming identifier cannot be added to its file.
  case looksRenamed(ModelElement, identifier: String)
  /// A new version is a copy of a released version that was edited.
  case copiesEdited(RecordedRelease, copy: String)
  /// A git revision and `HEAD` do not have a common commit in this clone.
  case noMergeBase(revision: String)
  /// A version was found by a name that differs in upper and lower case.
  case respelled(String, name: String)
  /// A name that a bundle and versions have means the bundle.
  case bundleNamed(String, current: String?, versions: [String])
  /// A name that a folder has too does not mean the folder.
  case folderNamed(String, taken: String)

  /// Whether a part of the workspace is missing as a result.
  public var isWarning: Bool {
    switch self {
    case .unknownOrder, .noMergeBase, .respelled, .bundleNamed, .folderNamed: false
    case .bundleLeftOut, .versionLeftOut, .tooManyFolders, .looksRenamed, .copiesEdited: true
    }
  }
}

extension WorkspaceNotice: CustomStringConvertible {
  /// A sentence without a full stop.
  public var description: String {
    switch self {
    case .unknownOrder(let gap): "\(gap)"
    case .bundleLeftOut(let error): "skipped: \(error.sentence)"
    case .versionLeftOut(let failure): "skipped: \(WorkspaceError.brokenVersion(failure).sentence)"
    case .tooManyFolders(let folder):
      "\(folder): this folder has too many subfolders to search; name a bundle or a subfolder: --model PATH"
    case .noMergeBase(let revision):
      """
      this clone does not have a common commit of \(revision) and HEAD, so they are compared directly, and a version \
      that was added there later looks deleted here; fetch the history: git fetch --unshallow
      """
    case .looksRenamed(let element, let identifier):
      "\(element) looks renamed; without the renaming identifier “\(identifier)”, its data is lost"
    case .copiesEdited(let release, let copy):
      "\(release.name) is released and was edited, so \(copy) is a copy of the edited version; "
        + "restore \(release.name)\(release.restoringFile.map { ": \($0)" } ?? " as it was released")"
    case .respelled(let text, let name): "“\(text)” means \(name)"
    case .bundleNamed(let name, let current, let versions):
      "“\(name)” means the bundle\(current.map { " with its current version \($0)" } ?? ""); "
        + "the version of that name is \(versions.joined(separator: " or "))"
    case .folderNamed(let name, let taken):
      "“\(name)” means \(taken); for the folder of that name, write \(ShellWord("./\(name)").text)"
    }
  }
}

extension WorkspaceNotice {
  /// The notice that a name means a name that differs in case; nil if one of the names is equal or none is alike.
  package static func respelling(of text: String, as names: [String]) -> WorkspaceNotice? {
    guard !names.contains(text), let name = names.first(where: { VersionLookup.isRespelled(text, $0) }) else {
      return nil
    }
    return .respelled(text, name: name)
  }

  /// The notice that a bare name means a bundle although versions have the name; nil if no version has the name, or if
  /// the current version has it.
  ///
  /// - Parameter current: the current version of the bundle; nil if it is unknown.
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
  /// - Parameter report: receives a notice if the name differs in case.
  /// - Returns: the position; nil if the name means several versions or no version.
  package static func position(of text: String, in names: [String], report: (WorkspaceNotice) -> Void) -> Int? {
    let positions = positions(of: text, in: names)
    guard positions.count == 1, let position = positions.first else { return nil }
    WorkspaceNotice.respelling(of: text, as: [names[position]]).map(report)
    return position
  }
}
