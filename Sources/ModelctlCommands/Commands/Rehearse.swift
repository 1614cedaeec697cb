import ArgumentParser
import Foundation
import ModelKit

/// Rehearses the migrations of all old versions.
struct Rehearse: ModelctlCommand {
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
      given is refused; with --strict, when any row is.
      """)

  @Option(name: .long, help: ArgumentHelp("Only this old version.", valueName: "version"))
  var from: String?

  @Option(
    name: .long, help: ArgumentHelp("The version to reach; the bundle's current one otherwise.", valueName: "version"))
  var to: String?

  @Option(name: .long, help: ArgumentHelp("Only the last old versions, so many.", valueName: "n"))
  var last: Int?

  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      "Stores to rehearse instead of synthetic ones; they are copied and stay as they are.", valueName: "store"))
  var store: [StorePath] = []

  @Option(name: .long, help: ArgumentHelp("The same seed gives the same rows.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(name: .long, help: ArgumentHelp("The number of rows of every entity that is not abstract.", valueName: "n"))
  var rows = 20

  @Option(
    name: .long,
    help: ArgumentHelp("A folder to make, in which the stores stay; otherwise they are removed.", valueName: "folder"))
  var keep: String?

  @Flag(name: .long, help: "Exits with 1 when any row is refused.")
  var strict = false

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    guard (1...100_000).contains(rows) else { throw ValidationError("--rows takes a number from 1 to 100000") }
    if keep == "" { throw ValidationError("--keep takes the name of a folder") }
    if let last, last < 1 { throw ValidationError("--last takes a number from 1") }
    let choices = [from.map { _ in "--from" }, last.map { _ in "--last" }, store.isEmpty ? nil : "--store"]
    let chosen = choices.compactMap { $0 }
    if chosen.count > 1 { throw ValidationError("\(chosen.joined(separator: " and ")) exclude each other") }
  }

  func run() throws {
    let rehearsals = try rehearsals(in: try VersionCatalogue(models))
    let interrupt = Interrupt()
    let folder = try RehearsalFolder(keeping: keep)
    defer { folder.remove() }
    let output = RehearsalOutput(isPrinted: output.printsText)
    defer { output.finish() }
    var report = RehearsalReport(seed: seed, rows: rows, bundles: [])
    let requests = try rehearsals.enumerated().map { position, rehearsal in
      let place = try folder.subfolder(rehearsals.count == 1 ? nil : "\(position + 1)")
      return try request(for: rehearsal.target, rehearsal.stores, in: place)
    }
    if store.isEmpty { try output.print(report.lead) }
    for (position, (target, _)) in rehearsals.enumerated() where !report.isInterrupted {
      let rehearsal = Rehearsal(requests[position])
      let bundles =
        target.destination.parts.isEmpty ? [target.destination.bundle] : target.destination.parts.map(\.bundle)
      var bundle = RehearsalReport.Bundle(path: target.destination.bundle, to: target.destination.name)
      try output.print((position == 0 && !store.isEmpty ? "" : "\n") + bundle.heading)
      do {
        try rehearsal.run(isInterrupted: { interrupt.isRaised }) {
          output.show($0, of: bundle.path)
        } finished: { version in
          let source = RehearsalReport.Source(version, command: command(for: version, in: bundles))
          bundle.sources.append(source)
          try output.print(source.text(to: bundle.to))
        }
        if bundle.sources.isEmpty { try output.print(RehearsalReport.Bundle.ending) }
      } catch  where interrupt.isRaised && CommandExit.code(for: error) == CommandExit.interrupted {
        report.isInterrupted = true
      }
      report.bundles.append(bundle)
    }
    try output.print("\n" + report.summary)
    try self.output.writeRest(text: report.text, document: report)
    if report.isInterrupted { throw CommandExit.interrupted }
    if report.hasFailures || strict && report.hasRefusals { throw CommandExit.findings }
  }

  /// What is rehearsed: every bundle, or those of the stores that are given, each with its stores.
  private func rehearsals(in catalogue: VersionCatalogue) throws -> [(target: MigrationTarget, stores: [String])] {
    guard !store.isEmpty else { return try catalogue.targets(to: to).map { ($0, []) } }
    var rehearsals: [(target: MigrationTarget, stores: [String])] = []
    for path in store.map(\.text) {
      let target = try catalogue.target(of: path, to: to)
      let known = rehearsals.firstIndex {
        ($0.target.destination.bundle, $0.target.destination.name) == (
          target.destination.bundle, target.destination.name
        )
          && $0.target.versions.map(\.name) == target.versions.map(\.name)
      }
      if let known { rehearsals[known].stores.append(path) } else { rehearsals.append((target, [path])) }
    }
    return rehearsals
  }

  private func request(for target: MigrationTarget, _ stores: [String], in folder: String) throws -> RehearsalRequest {
    let (written, unusable) = try mappings.mappings(among: target.mappableVersions, near: models.paths)
    var request = RehearsalRequest(
      versions: target.versions, destination: target.destination,
      rows: SyntheticRows(seed: seed, rowsPerEntity: rows), folder: folder, mappings: written, unusable: unusable,
      options: MigrationOptions(policyStandIns: try policies.standIns()), keepsStores: keep != nil)
    request.stores = stores
    if !stores.isEmpty { request.sources = [] }
    if let last { request.sources = request.sources.suffix(last) }
    guard let from else { return request }
    guard let position = VersionNote.position(of: from, in: target.versions.map(\.name)) else {
      throw CommandError.unknownVersion(
        name: from, bundle: target.destination.bundle,
        candidates: NearNames.nearest(to: from, among: target.versions.map(\.name)))
    }
    request.sources = [target.versions[position]]
    return request
  }

  /// The command that does one version alone, as somebody types it into a shell.
  private func command(for version: RehearsedVersion, in bundles: [String]) -> String {
    let start = version.store.map { ["--store", $0] } ?? ["--from", version.source]
    var words =
      ["modelctl", "rehearse"] + bundles.flatMap { ["--model", $0] } + start + ["--to", version.destination]
    if version.store == nil { words += ["--seed", "\(seed)", "--rows", "\(rows)"] }
    words += mappings.noMappings ? ["--no-mappings"] : mappings.mapping.flatMap { ["--mapping", $0] }
    words += policies.policy.flatMap { ["--policy", $0] }
    return words.map { ShellWord($0).text }.joined(separator: " ")
  }
}
