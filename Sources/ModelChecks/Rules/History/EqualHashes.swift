import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import VersionHashing

extension Rule {
  static let equalHashes = Rule(
    id: "equal-hashes",
    severity: .warning,
    purpose: "Each version must have its own hashes.",
    explanation: """
      Core Data treats two versions with equal hashes as the same version. A store of either version opens with both, \
      and Core Data does not migrate it, so existing stores never get the changes. The version hash covers names, \
      types, optional flags, relationships, inheritance, uniqueness constraints and hash modifiers. It does not cover \
      defaults, indexes, validation, delete rules, transient properties, renaming identifiers, class names, fetch \
      requests, configurations and user info. Give the changed entity a version hash modifier, or delete the version \
      if it does not change anything. If the change does not affect stores, for example a class name, the finding is a \
      note: change the older version itself.
      """
  ) { history in
    guard history.isGuarded else { return [] }
    var latest: [VersionHashes: LoadedVersion] = [:]
    var previous: LoadedVersion?
    return history.versions.compactMap { version in
      defer { previous = version }
      let source = latest.updateValue(version, forKey: version.versionHashes)
      guard let source, let previous, history.isOlder(source.name, than: version.name),
        history.canChange(version.name) || !history.isReleased(version.name),
        source.configurationHashes == version.configurationHashes
      else { return nil }
      var finding =
        previous.name == source.name ? finding(source, version) : revert(to: source, past: previous, version)
      if history.isUnusedDraft(version.name) { finding.severity = .note }
      return finding
    }
  }

  /// The finding about a version that reverts the changes of the version before it.
  private static func revert(
    to source: LoadedVersion, past previous: LoadedVersion, _ destination: LoadedVersion
  ) -> RuleFinding {
    let changed = destination.hierarchy.model.entities.map(\.name).first { name in
      destination.versionHashes.entities[name] != previous.versionHashes.entities[name]
    }
    let holder = (changed ?? destination.hierarchy.model.entities.first?.name).map { ModelElement.entity($0) }
    let place = destination.location(of: holder ?? .model)
    return RuleFinding(
      holder ?? .model,
      """
      \(destination.name) has the hashes of \(source.name), so Core Data treats them as the same version: it migrates \
      stores of \(previous.name) to \(destination.name), but not stores of \(source.name)
      """,
      fix: holder.map { holder -> Advice in
        "set the version hash modifier of \(holder): \(run: destination.modifying(holder))"
      } ?? "change \(destination.name), or delete it", at: place)
  }

  private static func finding(_ source: LoadedVersion, _ destination: LoadedVersion) -> RuleFinding {
    let step = ModelStep(from: source.hierarchy, to: destination.hierarchy)
    guard let change = notable(step.changes) else {
      return RuleFinding(
        .model, "\(destination.name) has the hashes of \(source.name) and does not change anything in stores",
        fix: "change \(destination.name), or delete it", at: destination.location(of: .model))
    }
    guard change.concernsStores else {
      var finding = RuleFinding(
        change.element,
        """
        \(destination.name) has the hashes of \(source.name), so Core Data treats them as the same version; stores do \
        not contain this change: \(change.element) \(change.words.clause)
        """,
        fix: """
          make the change in \(source.name), where it does not change a hash, and delete \(destination.name); or keep both \
          versions
          """,
        at: destination.location(of: change.element))
      finding.severity = .note
      return finding
    }
    let holder = change.element.modifiable(in: destination)
    return RuleFinding(
      change.element,
      """
      \(destination.name) has the hashes of \(source.name), so stores are not migrated to it and do not get this \
      change: \(change.element) \(change.words.clause)
      """,
      fix: "set the version hash modifier of \(holder): \(run: destination.modifying(holder))",
      at: destination.location(of: change.element))
  }

  /// The change that developers most likely expect to reach stores.
  private static func notable(_ changes: [Change]) -> Change? {
    func isOfEntity(_ change: Change) -> Bool {
      switch change.element {
      case .entity, .property, .fetchIndex, .compoundIndex, .uniquenessConstraint: true
      default: false
      }
    }
    let own = changes.filter { isOfEntity($0) && !$0.isConsequence && !$0.isForTheEditor }
    return own.first(where: \.seemsToReachStores) ?? own.first
  }
}

extension ModelElement {
  /// The element whose version hash modifier gives a version another hash.
  fileprivate func modifiable(in version: LoadedVersion) -> ModelElement {
    switch self {
    case .property(let entity, let name):
      version.hierarchy.entity(named: entity)?.hashesModifier(ofProperty: name) == true ? self : .entity(entity)
    case .fetchIndex(let entity, _), .compoundIndex(let entity, _), .uniquenessConstraint(let entity, _):
      .entity(entity)
    default: self
    }
  }
}

extension EntityDescription {
  /// True for a property that the entity declares and whose hash includes its version hash modifier.
  fileprivate func hashesModifier(ofProperty name: String) -> Bool {
    if let attribute = attributes.first(where: { $0.name == name }) {
      return !attribute.isTransient && attribute.derivation == nil && attribute.type != .composite
    }
    return relationships.contains { $0.name == name && !$0.isTransient }
  }
}

extension LoadedVersion {
  /// The hashes of the stores of each configuration, which show an entity that moved to a different configuration.
  fileprivate var configurationHashes: [String: VersionHashes] {
    hierarchy.model.configurations.reduce(into: [:]) { found, configuration in
      found[configuration.name] = versionHashes(ofConfiguration: configuration.name)
    }
  }
}

extension Change {
  /// False for settings that only code and editors read.
  fileprivate var concernsStores: Bool {
    switch kind {
    case .changed(.className, _, _), .changed(.codeGeneration, _, _), .changed(.valueClass, _, _),
      .changed(.scalar, _, _), .changed(.syncable, _, _), .changed(.deleteRule, _, _), .changed(.fetchedEntity, _, _),
      .changed(.predicate, _, _):
      false
    default: true
    }
  }

  /// True for a change that developers expect to reach existing stores, although it does not.
  fileprivate var seemsToReachStores: Bool {
    switch (kind, element) {
    case (.changed(let aspect, _, _), _): aspect.seemsToReachRows
    case (.added, .fetchIndex), (.removed, .fetchIndex): true
    default: false
    }
  }

  /// True for settings that stores do not contain, such as the renaming identifiers that a copied version gets.
  fileprivate var isForTheEditor: Bool { kind.aspect == .userInfo || kind.aspect == .renamingIdentifier }
}

extension Change.Kind {
  fileprivate var aspect: Aspect? { if case .changed(let aspect, _, _) = self { aspect } else { nil } }
}
