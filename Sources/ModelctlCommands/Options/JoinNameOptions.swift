import ArgumentParser
import ModelKit

/// From where the names of join tables are known.
struct JoinNameOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A store that Core Data made with the version: join tables are named as in it.", valueName: "store"))
  var like: String?

  /// Reads the store that was named, and the lock files of the versions' bundles.
  ///
  /// - Parameter versions: the versions.
  /// - Returns: what is known.
  /// - Throws: `StoreError`.
  func names(among versions: [KnownVersion]) throws -> JoinNames {
    JoinNames(store: try like.map { try ReferenceStore(path: $0) }, locked: JoinNames.locked(versions))
  }
}
