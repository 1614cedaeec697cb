import ArgumentParser
import ModelKit

/// The sources for the names of join tables.
struct JoinNameOptions: ParsableArguments {
  @Option(
    name: .customLong("join-names-from"),
    help: ArgumentHelp(
      "Name join tables as in this store, which Core Data made with the same version. Use it if modelctl warns of a guess.",
      valueName: "store"))
  var like: String?

  /// Reads the given store, and the lock files of the versions' bundles.
  func names(among versions: [LoadedVersion]) throws -> JoinNames {
    JoinNames(store: try like.map { try ReferenceStore.read(path: $0) }, locked: JoinNames.locked(versions))
  }

  /// The creator of a store with a model.
  ///
  /// It reads the versions of the bundles only if it must guess a name.
  ///
  /// - Parameters:
  ///   - models: the bundles.
  ///   - source: the store whose objects the new store gets. If Core Data made it, its join tables have the correct
  ///     names.
  /// - Returns: the creator, and a function that suggests a store to replace a guess.
  func creator(
    of model: ManagedObjectModel, named name: String, _ models: ModelOptions, from source: String? = nil
  ) throws -> (creator: StoreCreator, suggest: () -> Void) {
    let hierarchy = try EntityHierarchy(model)
    let creator = try StoreCreator(of: hierarchy)
    guard like != nil || creator.layout.hasGuessedNames else {
      return (creator, {})
    }
    let version = try LoadedVersion(bundle: "", name: name, isCurrent: false, model: model)
    var options = self
    if options.like == nil, let source, (try? ReferenceStore.read(path: source).reference(for: version)) != nil {
      options.like = source
    }
    let (references, suggest) = try options.references(for: version, models)
    return (try StoreCreator(of: hierarchy, references: references), suggest)
  }

  /// The known join table names for stores of a version.
  ///
  /// It reads the versions of the bundles only if it must guess a name.
  ///
  /// - Parameter models: the bundles.
  /// - Returns: the names, and a function that suggests a store to replace a guess.
  func references(
    for version: LoadedVersion, _ models: ModelOptions
  ) throws -> (references: [JoinNameReference], suggest: () -> Void) {
    let joins = try StoreCreator(of: version.hierarchy).layout.selfJoins
    guard like != nil || joins.contains(where: { $0.evidence == .guess }) else { return ([], {}) }
    let names = try names(among: LoadedVersion.load(from: models.workspace.bundles()).versions)
    let references = try names.references(for: version)
    let informed = try StoreCreator(of: version.hierarchy, references: references)
    return (references, { names.suggest(for: informed.layout.selfJoins, of: version) })
  }
}
