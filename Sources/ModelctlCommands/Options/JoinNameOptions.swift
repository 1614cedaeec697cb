import ArgumentParser
import ModelKit

/// From where the names of join tables are known.
struct JoinNameOptions: ParsableArguments {
  @Option(
    name: .customLong("join-names-from"),
    help: ArgumentHelp(
      "Name join tables as in this store, which Core Data made with the same version. Use it if modelctl warns of a guess.",
      valueName: "store"))
  var like: String?

  /// Reads the store that was named, and the lock files of the versions' bundles.
  func names(among versions: [LoadedVersion]) throws -> JoinNames {
    JoinNames(store: try like.map { try ReferenceStore.read(path: $0) }, locked: JoinNames.locked(versions))
  }

  /// What makes a store of a model; the versions of the bundles are read only where a name would be a guess.
  ///
  /// - Parameters:
  ///   - models: where the bundles are.
  ///   - source: the store whose objects the new one gets: if Core Data made it, its join tables are named as they
  ///     should be.
  /// - Returns: what makes the store, and what says which store would settle a guess.
  func creator(
    of model: ManagedObjectModel, named name: String, _ models: ModelOptions, from source: String? = nil
  ) throws -> (creator: StoreCreator, suggest: () -> Void) {
    let hierarchy = try EntityHierarchy(model)
    let creator = try StoreCreator(of: hierarchy)
    guard like != nil || creator.layout.selfJoins.contains(where: { $0.evidence == .guess }) else {
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

  /// What is known for stores of a version; the versions of the bundles are read only where a name would be a guess.
  ///
  /// - Parameter models: where the bundles are.
  /// - Returns: what is known, and what says which store would settle a guess.
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
