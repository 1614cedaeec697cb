import ArgumentParser
import Foundation
import ModelKit

/// Rehearses the migrations of all old versions.
struct Rehearse: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Migrate stores of old versions on all paths, compare.",
    usage: "modelctl rehearse [--model <path>] [--from <version>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl rehearse
        modelctl rehearse --model App/Model.xcdatamodeld --seed 7 --rows 100
        modelctl rehearse --last 5
        modelctl rehearse --from v1 --keep stores
        modelctl rehearse --store shop.sqlite

      A store of each old version goes to the current one in place, by clone,
      step by step and straight; of a way of more than 10 versions only the
      first store passes each, and the others make one step and then one hop.
      Each result is verified, and all must have the same objects, links and
      orders. Some optional values are missing: what rows are refused for is
      told as users would meet it, and tried again without gaps and
      duplicates. Losses are consented to and listed.

      Exits with 1 when something is wrong that no row is to blame for, also
      when complete and unique rows are refused, and when a store that was
      given is refused; with --strict, when any row is. Exits with 2 when a
      version could not be read, unless stores or versions are named.
      """)

  @OptionGroup var rehearsal: RehearsalOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

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
      let place = try folder.subfolder(targets.count == 1 ? nil : "\(position + 1)")
      return try rehearsal.request(for: target, in: place, workspace.mappings(for: target.target), mirrors: mirrors)
    }
    let printer = RehearsalOutput(isPrinted: output.printsText)
    defer { printer.finish() }
    let report = try printer.report(on: requests, without: workspace.failures, rehearsal, interrupt)
    try output.writeRest(text: report.text, document: report)
    if report.isInterrupted { throw CommandExit.interrupted }
    if report.hasFailures || rehearsal.strict && report.hasRefusals { throw CommandExit.findings }
    // Whoever names stores or versions asks for no others.
    guard rehearsal.store.isEmpty, rehearsal.from == nil, rehearsal.last == nil else { return }
    let unusable =
      rehearsal.to == nil ? workspace.failures : requests.flatMap { $0.unusableVersions(workspace.failures) }
    guard unusable.isEmpty else { throw CommandError.unusableVersions(unusable) }
  }
}

/// The folder in which a rehearsal makes its stores: a temporary one, or one that somebody wants to keep.
struct RehearsalFolder {
  private let url: URL
  private let isTemporary: Bool

  /// Makes the folder.
  ///
  /// - Parameter path: a folder to keep, which must be new or empty; nil for a temporary one.
  init(keeping path: String?) throws(CommandError) {
    isTemporary = path == nil
    if let path, let names = try? FileManager.default.contentsOfDirectory(atPath: path), !names.isEmpty {
      throw .unwritable(path: path, reason: "the folder is not empty; name another")
    }
    do {
      url = try path.map { URL(fileURLWithPath: $0) } ?? TemporaryPlace.makeFolder("modelctl-rehearse-")
      if isTemporary { return }
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path ?? TemporaryPlace.folder.path, error)
    }
  }

  func subfolder(_ name: String?) throws(CommandError) -> String {
    guard let name else { return url.path }
    let place = url.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(place.path, error)
    }
    return place.path
  }

  func remove() { if isTemporary { try? FileManager.default.removeItem(at: url) } }
}
