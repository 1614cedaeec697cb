import ArgumentParser
import Foundation
import ModelKit

/// The version that an edit changes, and its dry run.
struct EditOptions: ParsableArguments {
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Edit this version (default: the current version).", valueName: "version")
  )
  var version: String?

  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Print the changes and write nothing.")
  var dryRun = false

  @Flag(
    name: .customLong("allow-released"),
    help: "Edit the version even if it is released. If its hashes change, its stores no longer open.")
  var allowsReleased = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: OutputOptions

  /// Edits the file: reads it, checks the result against the rules, writes it and prints a report.
  ///
  /// - Throws: ``CommandError``, `ContentsEditError` and `ModelFileError`; the file is then unchanged.
  func apply(_ edit: ContentsEdit) throws { try apply(edit, to: target()) }

  /// Edits a given file, and prints further warnings.
  ///
  /// If another program changes the file between reading and writing, modelctl repeats the edit on the new content.
  func apply(_ edit: ContentsEdit, to target: EditTarget, warnings: [String] = []) throws {
    for attempt in 1... {
      do {
        return try applyOnce(edit, to: target, warnings: warnings)
      } catch CommandError.changedMeanwhile where attempt < 50 {
        continue
      }
    }
  }

  private func applyOnce(_ edit: ContentsEdit, to target: EditTarget, warnings: [String]) throws {
    let path = target.path
    let edited = try EditedContents(edit, of: try FileBytes.read(path), path: path)
    let broken = try BrokenRules.found(in: edited.file, beyond: [ContentsReader.read(edited.oldData, path: path)])
    if let first = broken.first(where: { $0.severity == .error }) {
      throw CommandError.breaksRule(path: path, rule: first.rule, message: first.message)
    }
    if !dryRun {
      try write(edited.data, to: path, inPlaceOf: edited.oldData)
      keep(edited, of: path)
    }
    let report = EditReport(
      edited, path: path, isWritten: !dryRun, findings: broken.map { "\($0.message) [\($0.rule)]" } + warnings)
    report.warnings.forEach(Console.warn)
    try output.write(text: report.text, document: report, coloring: .unifiedDiff)
  }

  /// Writes a file, unless it changed since modelctl read it.
  func write(_ data: Data, to path: String, inPlaceOf oldData: Data) throws {
    try Self.write(data, to: path, inPlaceOf: oldData)
  }

  /// Writes a file that may be new.
  static func write(_ data: Data, to path: String, inPlaceOf oldData: Data?) throws {
    do {
      guard let oldData else { return try FileReplacement.write(data, to: path) }
      try FileReplacement.write(data, to: path, inPlaceOf: oldData)
    } catch FileReplacement.Refusal.changed {
      throw CommandError.changedMeanwhile(path: path)
    } catch {
      throw CommandError.unwritable(path, error)
    }
  }

  /// The earlier contents of edited files, or nil if the user has no cache folder.
  static var record: EditRecord? { CacheFolder.path.map { EditRecord(folder: "\($0)/modelctl/edits") } }

  /// An edit succeeds even if modelctl cannot record it for `edit undo`.
  private func keep(_ edited: EditedContents, of path: String) {
    try? Self.record?.keep(edited.oldData, before: edited.data, of: path)
  }

  /// The `contents` file of the version, which must not be released.
  func target() throws -> EditTarget {
    try models.workspace.checkSingle()
    let source: ModelSource
    do {
      source =
        try version.map { try models.workspace.source($0) }
        ?? .version(models.workspace.onlyBundle().currentVersion())
    } catch WorkspaceError.severalBundles(let folder, let candidates, _) {
      throw WorkspaceError.severalBundles(folder: folder, candidates: candidates, option: "--in")
    } catch ModelFileError.notAModel(let path) where path == version {
      throw WorkspaceError.notEditable(name: path)
    }
    switch source {
    case .version(let version) where version.form == .contents:
      try checkReleased(version)
      return EditTarget(path: version.filePath, version: version)
    case .file(let path, .contents): return EditTarget(path: path, version: nil)
    default: throw WorkspaceError.notEditable(name: source.name)
    }
  }

  private func checkReleased(_ version: ModelVersion) throws {
    let bundle = try EditTarget.bundle(of: version)
    guard let lock = try LockFile.read(beside: bundle), let state = lock.entries[version.name]?.state, state != .draft,
      !allowsReleased
    else { return }
    throw CommandError.released(
      version: version.name, bundle: bundle.path, lock: lock.path, isRetired: state == .retired)
  }
}
