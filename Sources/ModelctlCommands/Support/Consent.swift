import ModelKit

/// The data losses that a user allows, for all stores of a command.
struct Consent {
  /// The given names, from arguments and files.
  let names: [ConsentName]
  /// True if the user allows the losses in the lock files.
  let takesLock: Bool
  /// The lock files with allowed losses, by the path of the bundle.
  private let locks: [String: LockFile]
  private let bundles: [ModelBundle]

  /// Reads the given names and files, each file once.
  static func read(_ options: ConsentOptions, bundles: [ModelBundle]) throws -> Consent {
    let names = try options.names()
    guard options.takesLock else { return Consent(names: names, takesLock: false, locks: [:], bundles: bundles) }
    let locks: [String: LockFile] = Dictionary(
      try bundles.compactMap { bundle in try LockFile.read(beside: bundle).map { (bundle.path, $0) } },
      uniquingKeysWith: { first, _ in first })
    if locks.isEmpty { throw CommandError.noLockFile(bundles: bundles.map(\.path)) }
    return Consent(names: names, takesLock: true, locks: locks, bundles: bundles)
  }

  /// The names of the allowed losses on the path to a version.
  ///
  /// A lock file records the losses of each version, so only the versions on the path count.
  ///
  /// - Returns: the names in the format of ``MigrationOptions``.
  func losses(for target: MigrationTarget) -> Set<String> {
    Set(names.map(\.text)).union(Self.accepted(by: { locks[$0] }, for: target))
  }

  /// The names that lock files allow on the path to a version.
  private static func accepted(by lock: (String) -> LockFile?, for target: MigrationTarget) -> Set<String> {
    let passed = Dictionary(grouping: target.passed.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }, by: \.bundle)
    return passed.reduce(into: []) { names, versions in
      guard let entries = lock(versions.key)?.entries else { return }
      for version in versions.value { names.formUnion(entries[version.name]?.allowedLosses ?? []) }
    }
  }

  /// The losses that lock files do not allow, for a refusal that suggests `@lock`.
  ///
  /// It is nil if the lock files allow none of the losses, or if `@lock` is already given.
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
    let rest = left.consentNames
    return rest.count < count ? rest : nil
  }

  /// Adds to a refusal the number of losses that the lock files allow, and returns every other error unchanged.
  func explaining(_ error: any Error, _ request: MigrationRequest, for target: MigrationTarget) -> any Error {
    guard let found = error as? MigrationBlocked else { return error }
    var blocked = found.namingOtherBundles(for: target).namingDirectPath(request)
    blocked.unrecordedNames = unrecordedNames(of: blocked, request, for: target)
    return blocked
  }

  /// Refuses names that no version has, because they can only be typing errors.
  ///
  /// - Parameters:
  ///   - models: the versions on the path, and the model in the store if no bundle has it.
  ///   - bundle: the bundle of the store; nil if it is not known, or if there are several.
  func check(in models: [EntityHierarchy], of bundle: String? = nil) throws {
    let unknown = names.filter { name in !models.contains { $0.hasElement(named: name.text) } }
    if let name = unknown.first, let location = name.location {
      let known = models.flatMap { $0.elementNames(like: name.text) }
      throw ConsentFileError.unknownName(
        name.text, at: location, candidates: NearNames.nearest(to: name.text, among: known))
    }
    guard unknown.isEmpty else {
      throw CommandError.unknownNames(unknown.map(\.text), option: "--allow-data-loss", among: models, of: bundle)
    }
  }

  /// Refuses names that neither a version nor a given store has.
  ///
  /// It does not check the stores in folders, because modelctl searches the folders later.
  func check(in models: [EntityHierarchy], orIn paths: [String]) throws {
    let isKnown = names.allSatisfy { name in models.contains { $0.hasElement(named: name.text) } }
    if !isKnown { try check(in: models + paths.compactMap(Self.ownModel)) }
  }

  /// The model inside a store, or nil if it cannot be read.
  private static func ownModel(of store: String) -> EntityHierarchy? {
    guard let reader = try? StoreReader(path: store) else { return nil }
    defer { reader.close() }
    return (try? reader.identify(among: []))?.model.flatMap { try? EntityHierarchy($0) }
  }
}

extension MigrationBlocked {
  /// The refusal with the bundles to merge, if a different bundle has a removed entity and both can be merged.
  ///
  /// Without it, a user could allow the loss of rows that only moved to the other bundle.
  func namingOtherBundles(for target: MigrationTarget) -> MigrationBlocked {
    guard target.destination.parts.isEmpty else { return self }
    var blocked = self
    for position in blocked.losses.indices where blocked.losses[position].loss.loss.kind == .entityRemoved {
      let own = target.destination.bundle
      let entity = blocked.losses[position].loss.loss.element
      guard let other = Project.entityHolders?.bundle(declaring: entity, besides: own),
        target.destination.canMerge(with: other)
      else { continue }
      blocked.losses[position].mergedBundles = [own, other].map { RelativePath.text($0) }
    }
    return blocked
  }

  /// The refusal with the losses that a direct migration does not have.
  fileprivate func namingDirectPath(_ request: MigrationRequest) -> MigrationBlocked {
    guard !losses.isEmpty, let direct = request.pathFinder.direct else { return self }
    var request = request
    request.pathFinder = direct
    guard let (prepared, _) = try? StoreMigrator(request).plan() else { return self }
    let lost = Set(prepared.stages.flatMap(\.plan.losses).map(\.loss.element))
    var blocked = self
    for position in losses.indices {
      blocked.losses[position].isKeptDirectly = !lost.contains(losses[position].loss.loss.element)
    }
    return blocked
  }
}

extension MigrationTarget {
  /// The path of the bundle, from the current folder; nil for merged bundles.
  var onlyBundle: String? { destination.parts.isEmpty ? RelativePath.text(destination.bundle) : nil }
}

extension LoadedVersion {
  /// True if the entities that the current version of a bundle also has are equal in both.
  fileprivate func canMerge(with bundle: String) -> Bool {
    guard let model = try? ModelBundle(at: bundle).currentVersion().load().model,
      let hashes = try? VersionHashes(of: model)
    else { return false }
    return hashes.entities.allSatisfy { name, hash in versionHashes.entities[name].map { $0 == hash } ?? true }
  }
}
