import ArgumentParser
import Foundation
import ModelKit

/// What the models are held against.
struct HistoryOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "What users have: a revision of git, of which the merge base is taken, or a folder.",
      valueName: "revision or folder"))
  var base: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A compiled model (.momd) of the app that users have. Can be given more than once.", valueName: "path"))
  var against: [String] = []

  /// Reads the bundles with what is known of their history.
  ///
  /// - Parameters:
  ///   - paths: bundles and folders.
  ///   - models: models that belong to no bundle.
  ///   - configuration: what the project has decided.
  ///   - search: where bundles and mapping models are looked for.
  /// - Returns: the project.
  /// - Throws: `RevisionError` and `ModelFileError` when the base is not there.
  func project(
    paths: [String], models: [ModelFile], _ configuration: CheckConfiguration, _ search: ProjectSearch
  ) throws -> CheckedProject {
    let against = against.map { RelativePath.text($0) }
    guard let base else {
      return CheckedProject.load(
        paths: paths, models: models, against: against, configuration: configuration, search: search)
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: base, isDirectory: &isFolder), isFolder.boolValue {
      return CheckedProject.load(
        paths: paths, models: models, base: try .folder(RelativePath.text(base), roots: paths), against: against,
        configuration: configuration, search: search)
    }
    guard !Self.looksLikeFolder(base) else { throw CommandError.noBase(folder: base) }
    let roots = paths.isEmpty ? [search.project.path] : paths
    return try RevisionTree.read(base, paths: roots, mappingFolders: search.mappingFolders(near: roots)) { tree in
      if tree.revision.lacksMergeBase { Console.note(Self.note(aboutMissingMergeBaseOf: base)) }
      return CheckedProject.load(
        paths: paths, models: models, base: .revision(tree), against: against, configuration: configuration,
        search: search)
    }
  }

  /// True for what can be no revision of git.
  private static func looksLikeFolder(_ base: String) -> Bool {
    ["/", "./", "../", "~"].contains { base.hasPrefix($0) } || base.hasSuffix("/") || base == ".."
  }

  private static func note(aboutMissingMergeBaseOf revision: String) -> String {
    """
    this clone has no history in which \(revision) and HEAD meet, so they are compared as they are: a version that is \
    newer there looks deleted here; fetch the history with: git fetch --unshallow
    """
  }
}
