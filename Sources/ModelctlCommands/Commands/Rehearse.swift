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
        modelctl rehearse --from v1 --keep stores

      A store of each old version goes to the current one in place, by clone,
      step by step and straight. Each result is verified, and all must have
      the same objects, links and orders. Some optional values are missing:
      what rows are refused for is told as users would meet it, and tried
      again without gaps and duplicates. Losses are consented to and listed.
      Exits with 1 when something is wrong that no row is to blame for.
      """)

  @Option(name: .long, help: ArgumentHelp("Only this old version.", valueName: "version"))
  var from: String?

  @Option(
    name: .long, help: ArgumentHelp("The version to reach; the bundle's current one otherwise.", valueName: "version"))
  var to: String?

  @Option(name: .long, help: ArgumentHelp("The same seed gives the same rows.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(name: .long, help: ArgumentHelp("The number of rows of every entity that is not abstract.", valueName: "n"))
  var rows = 20

  @Option(
    name: .long,
    help: ArgumentHelp("A folder to make, in which the stores stay; otherwise they are removed.", valueName: "folder"))
  var keep: String?

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    guard (1...100_000).contains(rows) else { throw ValidationError("--rows takes a number from 1 to 100000") }
    if keep == "" { throw ValidationError("--keep takes the name of a folder") }
  }

  func run() throws {
    let targets = try VersionCatalogue(models).targets(to: to)
    let interrupt = Interrupt()
    let folder = try RehearsalFolder(keeping: keep)
    defer { folder.remove() }
    let progress = ProgressLine()
    defer { progress.finish() }
    var bundles: [RehearsalReport.Bundle] = []
    for (position, target) in targets.enumerated() {
      let place = try folder.subfolder(targets.count == 1 ? nil : "\(position + 1)")
      let rehearsal = Rehearsal(try request(for: target, in: place))
      let path = target.destination.bundle
      let results = try rehearsal.run(isInterrupted: { interrupt.isRaised }) { progress.show($0, of: path) }
      bundles.append(
        RehearsalReport.Bundle(path: path, to: target.destination.name, results) {
          command(for: $0, in: target.destination.parts.isEmpty ? [path] : target.destination.parts.map(\.bundle))
        })
    }
    progress.finish()
    let report = RehearsalReport(seed: seed, rows: rows, bundles: bundles)
    try output.write(text: report.text, document: report, coloring: .rehearsal)
    if report.hasFailures { throw CommandExit.findings }
  }

  private func request(for target: MigrationTarget, in folder: String) throws -> RehearsalRequest {
    let (written, unusable) = try mappings.mappings(among: target.mappableVersions, near: models.paths)
    var request = RehearsalRequest(
      versions: target.versions, destination: target.destination,
      rows: SyntheticRows(seed: seed, rowsPerEntity: rows), folder: folder, mappings: written, unusable: unusable,
      options: MigrationOptions(policyStandIns: try policies.standIns()), keepsStores: keep != nil)
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
    var words =
      ["modelctl", "rehearse"] + bundles.flatMap { ["--model", $0] } + [
        "--from", version.source, "--to", version.destination,
      ]
    words += ["--seed", "\(seed)", "--rows", "\(rows)"]
    words += mappings.noMappings ? ["--no-mappings"] : mappings.mapping.flatMap { ["--mapping", $0] }
    words += policies.policy.flatMap { ["--policy", $0] }
    return words.map { ShellWord($0).text }.joined(separator: " ")
  }
}
