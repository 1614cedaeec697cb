import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// A released version whose hashes differ from those in the release evidence.
struct EditedRelease {
  /// What happened to one element.
  struct Edit: Hashable {
    /// The element, by its name of today unless it is gone.
    let element: ModelElement
    /// What is known of it.
    let fact: Fact

    /// What is known of an edit.
    enum Fact: Hashable {
      /// What changed in the element.
      case changes([Change])
      /// The entity was added, as the hashes alone show.
      case added
      /// The entity was removed, as the hashes alone show.
      case removed
      /// The entity was edited, and its hash does not show how.
      case unexplained
      /// Entities have other hashes, and nothing shows why.
      case otherHashes([String])
    }

    /// False when only the entity is known.
    var isExplained: Bool {
      switch fact {
      case .unexplained, .otherHashes: false
      default: true
      }
    }

    /// What happened, in a clause that begins with the element.
    var words: String {
      switch fact {
      case .changes(let changes): "\(element) \(changes.map(\.words.clause).joined(separator: ", "))"
      case .added: "\(element) was added"
      case .removed: "\(element) was removed"
      case .unexplained: "\(element) was edited (its hash alone does not tell how)"
      case .otherHashes(let names): "\(NameList.text(names)) have other hashes"
      }
    }
  }

  let version: LoadedVersion
  let hashes: VersionHashes
  /// The release evidence, in words.
  let evidence: String
  /// A revision of git that has the version as it was released.
  let revision: String?
  /// The path of the version's file in that revision, for a bundle that lay elsewhere then.
  let revisionPath: String?
  private let model: EntityHierarchy?
  private let related: [LoadedVersion]

  init(_ version: LoadedVersion, evidence: [Release], hashes: VersionHashes, related: [LoadedVersion]) {
    self.version = version
    self.hashes = hashes
    self.evidence = evidence.words
    let committed = evidence.first { $0.revision != nil }
    (revision, revisionPath) = (committed?.revision, committed?.revisionPath)
    self.related = related
    model = evidence.lazy.compactMap(\.model).compactMap { try? EntityHierarchy($0) }.first
  }

  /// Every edit; at least one.
  ///
  /// They come from the model in the evidence where there is one, else from the search for edits that give the hashes.
  var edits: [Edit] {
    var edits: [Edit]
    if let model {
      edits = Self.edits(from: model, to: version.hierarchy)
    } else {
      let old = FormerModel(of: version, with: hashes, related: related)
      edits = Self.edits(from: old.hierarchy, to: version.hierarchy)
      edits += old.differences.compactMap { Self.unexplained($0, among: edits) }
    }
    guard edits.isEmpty else { return edits }
    let names = Set(hashes.entities.keys).union(version.versionHashes.entities.keys)
      .filter { hashes.entities[$0] != version.versionHashes.entities[$0] }.sorted()
    return [Edit(element: .model, fact: .otherHashes(names))]
  }

  private static func edits(from source: EntityHierarchy, to destination: EntityHierarchy) -> [Edit] {
    let changes = ModelDifference(from: source, to: destination).changes.filter(\.changesHash)
    let own = changes.filter { !$0.isConsequence }
    var order: [ModelElement] = []
    var grouped: [ModelElement: [Change]] = [:]
    for change in own.isEmpty ? changes : own {
      if grouped[change.element] == nil { order.append(change.element) }
      grouped[change.element, default: []].append(change)
    }
    return order.map { Edit(element: $0, fact: .changes(grouped[$0] ?? [])) }
  }

  /// What the search could only say of a whole entity.
  private static func unexplained(_ difference: EntityDifference, among edits: [Edit]) -> Edit? {
    let name = difference.entity
    guard !edits.contains(where: { $0.element == .entity(name) }) else { return nil }
    return switch difference.kind {
    case .onlyInStore: Edit(element: .entity(name), fact: .removed)
    case .onlyInVersion: Edit(element: .entity(name), fact: .added)
    case .unexplained: Edit(element: .entity(name), fact: .unexplained)
    default: nil
    }
  }
}

extension BundleHistory {
  /// The released versions that were edited, once for each set of hashes in their release evidence.
  var editedReleases: [EditedRelease] {
    versions.flatMap { version in
      let evidence = released.filter { $0.name == version.name && $0.hashes != version.versionHashes }
      var seen: [VersionHashes] = []
      for release in evidence where !seen.contains(release.hashes) { seen.append(release.hashes) }
      return seen.map { hashes in
        EditedRelease(
          version, evidence: evidence.filter { $0.hashes == hashes }, hashes: hashes, related: versions)
      }
    }
  }
}
