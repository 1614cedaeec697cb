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
  func names(among versions: [LoadedVersion]) throws -> JoinNames {
    JoinNames(store: try like.map { try ReferenceStore.read(path: $0) }, locked: JoinNames.locked(versions))
  }

  /// What makes a store of a model; the versions of the bundles are read only where a name would be a guess.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - name: the version's name.
  ///   - models: where the bundles are.
  /// - Returns: what makes the store, and what says which store would settle a guess.
  /// - Throws: `ModelStructureError`, `StoreError`, and as `Workspace.bundles()`.
  func creator(
    of model: ManagedObjectModel, named name: String, _ models: ModelOptions
  ) throws -> (creator: StoreCreator, suggest: () -> Void) {
    let hierarchy = try EntityHierarchy(model)
    let creator = try StoreCreator(of: hierarchy)
    guard like != nil || creator.layout.selfJoins.contains(where: { $0.evidence == .guess }) else {
      return (creator, {})
    }
    let version = try LoadedVersion(bundle: "", name: name, isCurrent: false, model: model)
    let (references, suggest) = try references(for: version, models)
    return (try StoreCreator(of: hierarchy, references: references), suggest)
  }

  /// What is known for stores of a version; the versions of the bundles are read only where a name would be a guess.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - models: where the bundles are.
  /// - Returns: what is known, and what says which store would settle a guess.
  /// - Throws: as `creator(of:named:_:)`.
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
