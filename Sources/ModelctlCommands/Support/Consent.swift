import ModelKit

/// What a user consents to losing, for every store of a command.
struct Consent {
  /// The names that were given, in arguments and files.
  let names: [ConsentName]
  /// The lock files whose accepted losses are consented to, by the bundle's path.
  private let locks: [String: LockFile]

  /// Reads what was given, each file once.
  ///
  /// - Parameters:
  ///   - options: the names and files.
  ///   - bundles: the bundles whose lock files are meant.
  /// - Throws: ``ConsentFileError``, ``CommandError/noLockFile(bundles:)``, and what reading a lock file throws.
  init(_ options: ConsentOptions, bundles: @autoclosure () -> [ModelBundle]) throws {
    names = try options.names()
    guard options.takesLock else {
      locks = [:]
      return
    }
    let bundles = bundles()
    locks = Dictionary(
      try bundles.compactMap { bundle in try LockFile.read(beside: bundle).map { (bundle.path, $0) } },
      uniquingKeysWith: { first, _ in first })
    if locks.isEmpty { throw CommandError.noLockFile(bundles: bundles.map(\.path)) }
  }

  /// The names that the loss of is consented to on the way to a version.
  ///
  /// A lock file records what is lost at each version, so that only the versions on the way count.
  ///
  /// - Parameter target: the versions and the one to reach.
  /// - Returns: the names as ``MigrationOptions`` takes them.
  func losses(for target: MigrationTarget) -> Set<String> {
    var losses = Set(names.map(\.text))
    guard !locks.isEmpty else { return losses }
    for version in target.passed.flatMap({ $0.parts.isEmpty ? [$0] : $0.parts }) {
      losses.formUnion(locks[version.bundle]?.entries[version.name]?.allowedLosses ?? [])
    }
    return losses
  }

  /// Refuses names that stand for nothing in any version, which can only be typing errors.
  ///
  /// - Parameter models: the versions on the way, and the model in the store when no bundle has it.
  /// - Throws: ``ConsentFileError/unknownName(_:at:candidates:)`` and ``CommandError/unknownNames(option:names:)``.
  func check(in models: [EntityHierarchy]) throws {
    let unknown = names.filter { name in !models.contains { $0.hasElement(named: name.text) } }
    if let name = unknown.first, let location = name.location {
      let known = models.flatMap { Self.names(in: $0, like: name.text) }
      throw ConsentFileError.unknownName(
        name.text, at: location, candidates: Array(NearNames.nearest(to: name.text, among: known).prefix(3)))
    }
    guard unknown.isEmpty else {
      throw CommandError.unknownNames(option: "--allow-data-loss", names: unknown.map(\.text))
    }
  }

  /// The names that one may have been meant as: the entity's properties where there is such an entity, else the entities.
  private static func names(in model: EntityHierarchy, like name: String) -> [String] {
    let entity = String(name.prefix { $0 != "." })
    guard name != entity, model.entity(named: entity) != nil else { return model.model.entities.map(\.name) }
    let properties = Array(model.allAttributes(of: entity).keys) + Array(model.allRelationships(of: entity).keys)
    return properties.sorted().map { "\(entity).\($0)" }
  }

  /// Refuses names that neither a version nor one of the stores that were named has.
  ///
  /// Stores in folders are not asked: what a folder holds is not known before it is searched.
  ///
  /// - Parameters:
  ///   - models: the versions.
  ///   - places: stores, and folders of stores.
  /// - Throws: as ``check(in:)``.
  func check(in models: [EntityHierarchy], orIn places: [String]) throws {
    let isKnown = names.allSatisfy { name in models.contains { $0.hasElement(named: name.text) } }
    if !isKnown { try check(in: models + places.compactMap(Self.ownModel)) }
  }

  /// The model that a store holds itself; nil when there is none to be had.
  private static func ownModel(of store: String) -> EntityHierarchy? {
    guard let reader = try? StoreReader(path: store) else { return nil }
    defer { reader.close() }
    return (try? reader.identify(among: []))?.model.flatMap { try? EntityHierarchy($0) }
  }
}
