import ModelKit

/// What a user consents to losing, for every store of a command.
struct Consent {
  /// The names that were given, in arguments and files.
  let names: [ConsentName]
  /// True when what the lock files have accepted is consented to.
  let takesLock: Bool
  /// The lock files whose accepted losses are consented to, by the bundle's path.
  private let locks: [String: LockFile]
  private let bundles: [ModelBundle]

  /// Reads what was given, each file once.
  static func read(_ options: ConsentOptions, bundles: [ModelBundle]) throws -> Consent {
    let names = try options.names()
    guard options.takesLock else { return Consent(names: names, takesLock: false, locks: [:], bundles: bundles) }
    let locks: [String: LockFile] = Dictionary(
      try bundles.compactMap { bundle in try LockFile.read(beside: bundle).map { (bundle.path, $0) } },
      uniquingKeysWith: { first, _ in first })
    if locks.isEmpty { throw CommandError.noLockFile(bundles: bundles.map(\.path)) }
    return Consent(names: names, takesLock: true, locks: locks, bundles: bundles)
  }

  /// The names that the loss of is consented to on the way to a version.
  ///
  /// A lock file records what is lost at each version, so that only the versions on the way count.
  ///
  /// - Returns: the names as ``MigrationOptions`` takes them.
  func losses(for target: MigrationTarget) -> Set<String> {
    Set(names.map(\.text)).union(Self.accepted(by: { locks[$0] }, for: target))
  }

  /// The names that lock files have accepted on the way to a version.
  private static func accepted(by lock: (String) -> LockFile?, for target: MigrationTarget) -> Set<String> {
    let passed = Dictionary(grouping: target.passed.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }, by: \.bundle)
    return passed.reduce(into: []) { names, versions in
      guard let entries = lock(versions.key)?.entries else { return }
      for version in versions.value { names.formUnion(entries[version.name]?.allowedLosses ?? []) }
    }
  }

  /// The names that are left to consent to once the lock files' are consented to, so that a refusal can suggest
  /// `@lock`; nil where the lock files have accepted none of what would be lost, or are taken already.
  func unrecordedNames(
    of blocked: MigrationBlocked, _ request: MigrationRequest, for target: MigrationTarget
  ) -> [String]? {
    let count = blocked.consentNames.count
    guard count > 0, !takesLock else { return nil }
    let accepted = Self.accepted(
      by: { path in bundles.first { $0.path == path }.flatMap { try? LockFile.read(beside: $0) } }, for: target)
    guard !accepted.isSubset(of: request.options.allowedLosses) else { return nil }
    var request = request
    request.options.allowedLosses.formUnion(accepted)
    guard let left = try? StoreMigrator(request).plan().blocked else { return nil }
    let rest = left.namingOtherBundles(for: target).consentNames
    return rest.count < count ? rest : nil
  }

  /// Adds to a refusal how much of what would be lost the lock files have accepted; gives every other error back.
  func explaining(_ error: any Error, _ request: MigrationRequest, for target: MigrationTarget) -> any Error {
    guard let found = error as? MigrationBlocked else { return error }
    var blocked = found.namingOtherBundles(for: target)
    blocked.unrecordedNames = unrecordedNames(of: blocked, request, for: target)
    return blocked
  }

  /// Refuses names that stand for nothing in any version, which can only be typing errors.
  ///
  /// - Parameter models: the versions on the way, and the model in the store when no bundle has it.
  func check(in models: [EntityHierarchy]) throws {
    let unknown = names.filter { name in !models.contains { $0.hasElement(named: name.text) } }
    if let name = unknown.first, let location = name.location {
      let known = models.flatMap { $0.elementNames(like: name.text) }
      throw ConsentFileError.unknownName(
        name.text, at: location, candidates: NearNames.nearest(to: name.text, among: known))
    }
    guard unknown.isEmpty else {
      throw CommandError.unknownNames(unknown.map(\.text), option: "--allow-data-loss", among: models)
    }
  }

  /// Refuses names that neither a version nor one of the stores that were named has.
  ///
  /// Stores in folders are not asked: what a folder holds is not known before it is searched.
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

extension MigrationBlocked {
  /// The same, naming the bundles to migrate with together where an entity that goes is in another bundle too, so that
  /// nobody is led to give up rows that only moved.
  func namingOtherBundles(for target: MigrationTarget) -> MigrationBlocked {
    guard target.destination.parts.isEmpty else { return self }
    var blocked = self
    for position in blocked.losses.indices where blocked.losses[position].loss.loss.kind == .entityRemoved {
      let own = target.destination.bundle
      let entity = blocked.losses[position].loss.loss.element
      guard let other = Project.entityHolders?.bundle(declaring: entity, besides: own) else { continue }
      blocked.losses[position].mergedBundles = [own, other].map { RelativePath.text($0) }
    }
    return blocked
  }
}
