import ArgumentParser
import Foundation
import ModelKit

/// Rehearses the migrations of all older versions.
struct Rehearse: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Test the migrations from all older versions.",
    usage: "modelctl rehearse [--model <path>] [--from <version>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl rehearse
        modelctl rehearse --model App/Model.xcdatamodeld --seed 7 --rows 100
        modelctl rehearse --last 5
        modelctl rehearse --from v1 --keep stores
        modelctl rehearse --store shop.sqlite

      modelctl creates a store for each older version and migrates it to the
      current version along every path: in place, on a copy, step by step, and
      directly. For paths of more than 10 versions, it migrates only the oldest
      store through every version; from each later version it takes one step, and
      then migrates directly to the current version. It verifies each result. All
      results must have the same objects, links and orders.
      Some optional values are empty. If such rows block a migration, modelctl
      reports the blocker as your users would see it, and repeats the migration
      with complete, unique rows. It allows all data losses and lists them.

      EXIT CODES
        0  no migration failed; rows may have blocked some migrations
        1  a migration failed, complete and unique rows block it, or a store that
           you gave was refused; with --strict, also if any row blocks a migration
        2  modelctl cannot read a version, unless you name stores or versions
      """)

  @OptionGroup var rehearsal: RehearsalOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: rehearsal.store.map(\.text)) }

  func run() throws {
    let workspace = try models.workspace(mappings: rehearsal.mappings).load()
    let targets = try workspace.targets(of: rehearsal.store.map(\.text), to: rehearsal.to)
    var mirrors: [String: StoreMirror] = [:]
    for store in rehearsal.store { mirrors[store.text] = try workspace.mirror(of: store.text) }
    defer { withExtendedLifetime(mirrors) {} }
    let interrupt = Interrupt()
    let folder = try RehearsalFolder(keeping: rehearsal.keep)
    defer { folder.remove() }
    let requests = try targets.enumerated().map { position, target in
      let path = try folder.subfolder(targets.count == 1 ? nil : "\(position + 1)")
      return try rehearsal.request(for: target, in: path, workspace.mappings(for: target.target), mirrors: mirrors)
    }
    let printer = RehearsalOutput(isPrinted: output.printsText)
    defer { printer.finish() }
    let report = try printer.report(on: requests, without: workspace.failures, rehearsal, interrupt)
    try output.writeRest(text: report.text, document: report)
    if report.isInterrupted { throw CommandExit.interrupted }
    if report.hasFailures || rehearsal.strict && report.hasRefusals { throw CommandExit.findings }
    // If the user names stores or versions, unusable versions do not matter.
    guard rehearsal.store.isEmpty, rehearsal.from == nil, rehearsal.last == nil else { return }
    let unusable =
      rehearsal.to == nil ? workspace.failures : requests.flatMap { $0.unusableVersions(workspace.failures) }
    guard unusable.isEmpty else { throw CommandError.unusableVersions(unusable) }
  }
}

/// The folder for the stores of a rehearsal, which is temporary or kept.
struct RehearsalFolder {
  private let url: URL
  private let isTemporary: Bool

  /// Creates the folder.
  ///
  /// - Parameter path: a folder to keep, which must be new or empty, or nil for a temporary folder.
  init(keeping path: String?) throws(CommandError) {
    isTemporary = path == nil
    if let path, let names = try? FileManager.default.contentsOfDirectory(atPath: path), !names.isEmpty {
      throw .unwritable(path: path, reason: "the folder is not empty", advice: "name another folder")
    }
    do {
      url = try path.map { URL(fileURLWithPath: $0) } ?? TemporaryLocation.makeFolder("modelctl-rehearse-")
      if isTemporary { return }
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path ?? TemporaryLocation.folder.path, error)
    }
  }

  func subfolder(_ name: String?) throws(CommandError) -> String {
    guard let name else { return url.path }
    let folder = url.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(folder.path, error)
    }
    return folder.path
  }

  func remove() { if isTemporary { try? FileManager.default.removeItem(at: url) } }
}
