import ArgumentParser
import ModelKit

/// The versions, rows and mapping models of a rehearsal.
struct RehearsalOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Rehearse only this older version.", valueName: "version"))
  var from: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Migrate to this version (default: the bundle's current version).", valueName: "version"))
  var to: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Rehearse only the N most recent older versions.", valueName: "n"))
  var last: Int?

  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      "Rehearse copies of these stores instead of generated stores.", valueName: "store"))
  var store: [StorePath] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Generate rows from this seed. The same seed gives the same rows.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Generate this number of rows for each entity that is not abstract.", valueName: "n"))
  var rows = 20

  @Option(
    name: .long,
    help: ArgumentHelp("Keep the stores in this new folder (default: delete them).", valueName: "folder"))
  var keep: String?

  @Flag(name: .long, help: "Exit with 1 if any row blocks a migration.")
  var strict = false

  @OptionGroup(title: "Mapping options") var mappings: MappingOptions
  @OptionGroup(title: "Mapping options") var policies: PolicyOptions

  func validate() throws {
    guard (1...100_000).contains(rows) else { throw ValidationError("--rows must be from 1 to 100000") }
    if keep == "" { throw ValidationError("--keep needs the name of a folder") }
    if let last, last < 1 { throw ValidationError("--last must be 1 or more") }
    let choices = [from.map { _ in "--from" }, last.map { _ in "--last" }, store.isEmpty ? nil : "--store"]
    let chosen = choices.compactMap { $0 }
    if chosen.count > 1 { throw ValidationError("\(chosen.joined(separator: " and ")) exclude each other") }
  }

  /// The rehearsal of a single bundle.
  ///
  /// - Parameters:
  ///   - target: the versions of the bundle, the destination, and the given stores.
  ///   - folder: the folder for the stores.
  ///   - mirrors: the SQLite stores that represent stores of other types, by their paths.
  func request(
    for target: LoadedWorkspace.StoreTarget, in folder: String, _ mappings: LoadedWorkspace.Mappings,
    mirrors: [String: StoreMirror]
  ) throws -> RehearsalRequest {
    let (target, stores) = target
    var request = RehearsalRequest(
      versions: target.versions, destination: target.destination,
      rows: SyntheticRows(seed: seed, rowsPerEntity: rows), folder: folder, mappings: mappings.mappings,
      unusable: mappings.unusable,
      options: MigrationOptions(policyReplacements: try policies.replacements()), keepsStores: keep != nil)
    request.stores = stores.map { path in
      guard let mirror = mirrors[path] else { return RehearsedStore(path: path) }
      return RehearsedStore(path: path, file: mirror.store) { try mirror.unseenLosses(by: $0) }
    }
    if !stores.isEmpty { request.sources = [] }
    if let last { request.sources = request.sources.suffix(last) }
    guard let from else { return request }
    let names = target.versions.map(\.name)
    let position =
      VersionLookup.position(of: from, in: names, report: Console.show)
      ?? names.firstIndex { MergedName($0) == MergedName(from) }
    guard let position else {
      throw WorkspaceError.unknownVersion(
        name: from, bundle: target.destination.bundle, candidates: NearNames.candidates(for: from, among: names))
    }
    request.sources = [target.versions[position]]
    return request
  }

  /// The shell command that rehearses only one version.
  func command(for version: RehearsedVersion, in request: RehearsalRequest) -> String {
    let start = version.store.map { ["--store", $0] } ?? ["--from", version.source]
    var words =
      ["modelctl", "rehearse"] + request.bundles.flatMap { ["--model", $0] } + start + ["--to", version.destination]
    if version.store == nil { words += ["--seed", "\(seed)", "--rows", "\(rows)"] }
    words += mappings.noMappings ? ["--no-mappings"] : mappings.mapping.flatMap { ["--mapping", $0] }
    words += policies.policy.flatMap { ["--policy", $0] }
    return words.map { ShellWord($0).text }.joined(separator: " ")
  }
}

extension RehearsalRequest {
  /// The paths of the bundle, or of all merged bundles.
  var bundles: [String] { destination.parts.isEmpty ? [destination.bundle] : destination.parts.map(\.bundle) }

  /// The unusable versions of these bundles.
  func unusableVersions(_ failures: [VersionError]) -> [VersionError] {
    failures.filter { bundles.contains($0.bundle) }
  }
}
