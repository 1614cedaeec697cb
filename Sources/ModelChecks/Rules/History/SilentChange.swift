import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let silentChange = Rule(
    id: "silent-change",
    severity: .warning,
    purpose: "Do not change a released version, not even in ways that leave its hash unchanged.",
    explanation: """
      If you change a default, a validation rule or an index, the hash is unchanged (see `equal-hashes`) and existing \
      stores still open. But these stores do not get the change, so users of the same app version have different \
      stores. If you change a renaming identifier, migrations no longer find the renamed element and lose its data. \
      Restore the version, and make the change in a new version. If its hashes would be equal, add a version hash \
      modifier.
      """
  ) { history in
    let reaching = history.versions.flatMap { version in
      guard let release = history.releases(of: version.name).first(where: isComparable), let model = release.model,
        model != version.hierarchy.model, let source = try? EntityHierarchy(model)
      else { return [RuleFinding]() }
      let difference = ModelStep(from: source, to: version.hierarchy).difference
      return difference.hints.compactMap { hint in
        guard case .doesNotReachExistingRows(let element, let aspect, _) = hint else { return nil }
        let change = difference.changes.first { $0.element == element && !$0.changesHash }
        let what = change.map { "\(element) \($0.words.clause)" } ?? "\(element) has a different \(aspect.rawValue)"
        return RuleFinding(
          element,
          """
          \(what), although \(version.name) is released (\([release].words)); \(consequence(of: aspect))
          """,
          fix: puttingBack(isExplained: true, isSilent: true, version, [release], in: history),
          at: version.location(of: element))
      }
    }
    return reaching + history.changedIdentities.map(finding)
  }

  private static func finding(_ changed: ChangedIdentity) -> RuleFinding {
    let name = changed.version.name
    let stores =
      changed.hasOlderVersions ? "stores of older versions lose its data" : "a migration loses its data"
    return RuleFinding(
      changed.element,
      """
      \(changed.element) has the renaming identifier \(changed.now) instead of \(changed.released), although \(name) is \
      released (\(changed.evidence)); \(stores)
      """,
      fix: "give it the renaming identifier \(changed.released) again",
      at: changed.version.location(of: changed.element))
  }

  /// True for a model in the format of editors; a compiled model lacks some settings of editors.
  private static func isComparable(_ released: Release) -> Bool {
    switch released.evidence {
    case .base, .tag: released.model != nil
    case .lock, .compiled: false
    }
  }

  private static func consequence(of aspect: Aspect) -> String {
    switch aspect {
    case .defaultValue: "existing rows keep their values"
    case .minimum, .maximum, .regularExpression: "existing rows are not checked again"
    case .valueTransformer: "the new transformer must read the values that the old transformer wrote"
    default: "existing stores keep their indexes"
    }
  }
}

/// An element of a released version whose renaming identifier, or name, for migrations changed.
struct ChangedIdentity {
  let version: LoadedVersion
  let element: ModelElement
  /// The earlier name.
  let released: String
  /// The current name.
  let now: String
  let evidence: String
  let hasOlderVersions: Bool
}

extension BundleHistory {
  /// The elements of released versions whose renaming identifiers changed, once for each name in the evidence.
  var changedIdentities: [ChangedIdentity] {
    versions.flatMap { version in
      let model = version.hierarchy.model
      let evidence = releases(of: version.name).filter { $0.model != nil }
      guard evidence.contains(where: { $0.model != model }) else { return [ChangedIdentity]() }
      let now = Dictionary(model.canonicalNames) { first, _ in first }
      var seen: [ModelElement: String] = [:]
      return evidence.flatMap { release in
        let released = release.model?.canonicalNames ?? []
        return released.compactMap { element, name -> ChangedIdentity? in
          guard let current = now[element], current != name, seen.updateValue(name, forKey: element) != name
          else { return nil }
          return ChangedIdentity(
            version: version, element: element, released: name, now: current,
            evidence: evidence.filter { other in
              other.model?.canonicalNames.contains { $0 == (element, name) } ?? false
            }.words, hasOlderVersions: versions.first?.name != version.name)
        }
      }
    }
  }
}

extension ManagedObjectModel {
  /// The names that migrations use for entities and properties, in the order of the model.
  fileprivate var canonicalNames: [(ModelElement, String)] {
    entities.flatMap { entity in
      [(.entity(entity.name), entity.canonicalName)]
        + entity.attributes.map { (.property(entity: entity.name, name: $0.name), $0.canonicalName) }
        + entity.relationships.map { (.property(entity: entity.name, name: $0.name), $0.canonicalName) }
    }
  }
}
