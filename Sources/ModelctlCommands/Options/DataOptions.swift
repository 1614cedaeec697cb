import ArgumentParser
import ModelKit

/// Whether `diff` compares the objects of two stores, and how.
struct DataOptions: ParsableArguments {
  @Flag(name: .customLong("data"), help: "Compare the objects of two stores of one version, not their models.")
  var isAsked = false

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "With --data: by what an object is known in both: key, unique for the uniqueness constraints, or an attribute such as Customer.email. Can be given more than once. (default: key)",
      valueName: "name"))
  var match: [String] = []

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var configuration: ConfigurationOption

  func validate() throws {
    guard isAsked || match.isEmpty else { throw ValidationError("--match says how objects are compared; add --data") }
  }

  /// Compares the objects of two stores.
  ///
  /// - Throws: `DataDifferenceError`, `WorkspaceError`, `StoreError`.
  func report(from source: String, to destination: String, _ models: ModelOptions) throws -> DataDifferenceReport {
    let interrupt = Interrupt()
    let workspace = try models.workspace(configuration).load()
    let stores = try [source, destination].map { path in
      try workspace.reader(of: path, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    }
    defer { for store in stores { store.close() } }
    let (before, after) = (stores[0], stores[1])
    let (old, new) = (try workspace.identify(by: before), try workspace.identify(by: after))
    guard try before.metadata().versionHashes == after.metadata().versionHashes else {
      if let version = old.version, let other = new.version,
        (version.bundle, version.name) == (other.bundle, other.name)
      {
        throw DataDifferenceError.configurations(
          first: source, holding: old.configuration, second: destination, against: new.configuration)
      }
      func age(_ version: LoadedVersion?) -> Int {
        version.flatMap { version in workspace.versions.firstIndex { $0.name == version.name } } ?? -1
      }
      let isReversed = age(old.version) > age(new.version)
      let areKnown = old.version != nil && new.version != nil
      throw DataDifferenceError.versions(
        older: isReversed ? destination : source, newer: isReversed ? source : destination,
        version: areKnown ? (isReversed ? old : new).version?.name : nil)
    }
    guard let model = old.model ?? new.model else { throw WorkspaceError.noModelInStore(path: source) }
    let hierarchy = try EntityHierarchy(model)
    let difference = try DataDifference(
      from: before, to: after, of: hierarchy, matching: ObjectMatching(match, in: hierarchy))
    return DataDifferenceReport(
      difference, from: .init(path: source, uuid: try before.metadata().uuid),
      to: .init(path: destination, uuid: try after.metadata().uuid))
  }
}
