import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import VersionHashing

/// An edit of an element of a version since its release.
struct ReleaseEdit: Hashable {
  /// The element, by its current name, or by its earlier name if it was removed.
  let element: ModelElement
  let fact: Fact

  /// The known facts of an edit.
  enum Fact: Hashable {
    /// The changes of the element.
    case changes([Change])
    /// It seems to be the element of this name under a different name.
    case renamed(from: ModelElement)
    /// The entity was added, as the hashes alone show.
    case added
    /// The entity was removed, as the hashes alone show.
    case removed
    /// The entity was edited, but its hash does not show how.
    case unexplained
    /// Entities have different hashes, and the cause is unknown.
    case otherHashes([String])
  }

  /// False if only the entity is known.
  var isExplained: Bool {
    switch fact {
    case .unexplained, .otherHashes: false
    default: true
    }
  }

  /// The edit in a clause that begins with the element.
  var words: String {
    switch fact {
    case .changes(let changes): "\(element) \(changes.map(\.words.clause).joined(separator: ", "))"
    case .renamed(let old): "\(old) seems to be renamed to \(element.ownName)"
    case .added: "\(element) was added"
    case .removed: "\(element) was removed"
    case .unexplained: "\(element) was edited (its hash does not show how)"
    case .otherHashes(let names): "\(NameList.text(names)) have different hashes"
    }
  }
}

extension BundleHistory {
  /// The released versions that were edited, once for each set of hashes in their release evidence.
  var editedReleases: [(version: LoadedVersion, evidence: [Release], edits: [ReleaseEdit])] {
    versions.flatMap { version in
      let differing = releases(of: version.name).filter { $0.hashes != version.versionHashes }
      var seen: [VersionHashes] = []
      for release in differing where !seen.contains(release.hashes) { seen.append(release.hashes) }
      return seen.map { hashes in
        let evidence = differing.filter { $0.hashes == hashes }
        let edits = version.edits(since: hashes, evidence: evidence, among: versions)
        return (version: version, evidence: evidence, edits: edits)
      }
    }
  }
}

extension LoadedVersion {
  /// Every edit since the version had these hashes; at least one.
  ///
  /// If the evidence has a model, the edits are the differences from it. If not, a search finds edits that give the hashes.
  ///
  /// - Parameter related: versions of the same bundle, whose definitions the search tries.
  func edits(since hashes: VersionHashes, evidence: [Release] = [], among related: [LoadedVersion]) -> [ReleaseEdit] {
    let model: EntityHierarchy? = evidence.lazy.compactMap(\.model).compactMap { try? EntityHierarchy($0) }.first
    var edits: [ReleaseEdit]
    if let model {
      edits = ReleaseEdit.edits(from: model, to: hierarchy)
    } else {
      let old = FormerModel(of: self, with: hashes, related: related)
      edits = ReleaseEdit.edits(from: old.hierarchy, to: hierarchy)
      edits += old.differences.compactMap { ReleaseEdit.unexplained($0, among: edits) }
    }
    guard edits.isEmpty else { return edits }
    let names = Set(hashes.entities.keys).union(versionHashes.entities.keys)
      .filter { hashes.entities[$0] != versionHashes.entities[$0] }.sorted()
    return [ReleaseEdit(element: .model, fact: .otherHashes(names))]
  }
}

extension ReleaseEdit {
  fileprivate static func edits(from source: EntityHierarchy, to destination: EntityHierarchy) -> [ReleaseEdit] {
    let difference = ModelStep(from: source, to: destination).difference
    let changes = difference.changes.filter(\.changesHash)
    let own = changes.filter { !$0.isConsequence }
    var order: [ModelElement] = []
    var grouped: [ModelElement: [Change]] = [:]
    for change in own.isEmpty ? changes : own {
      if grouped[change.element] == nil { order.append(change.element) }
      grouped[change.element, default: []].append(change)
    }
    var renames: [ModelElement: ModelElement] = [:]
    for case .looksLikeRename(let old, let new, _) in difference.hints where grouped[old]?.map(\.kind) == [.removed] {
      if grouped[new]?.map(\.kind) == [.added] { renames[new] = old }
    }
    let gone = Set(renames.values)
    return order.filter { !gone.contains($0) }.map { element in
      let fact = renames[element].map { Fact.renamed(from: $0) } ?? .changes(grouped[element] ?? [])
      return ReleaseEdit(element: element, fact: fact)
    }
  }

  /// The edit of an entity that the search could not explain.
  fileprivate static func unexplained(_ difference: EntityDifference, among edits: [ReleaseEdit]) -> ReleaseEdit? {
    let name = difference.entity
    guard !edits.contains(where: { $0.element == .entity(name) }) else { return nil }
    return switch difference.kind {
    case .onlyInStore: ReleaseEdit(element: .entity(name), fact: .removed)
    case .onlyInVersion: ReleaseEdit(element: .entity(name), fact: .added)
    case .unexplained, .unknownAttributes: ReleaseEdit(element: .entity(name), fact: .unexplained)
    default: nil
    }
  }
}

extension ModelElement {
  /// The name of a property without its entity; the description of any other element.
  fileprivate var ownName: String { if case .property(_, let name) = self { name } else { description } }
}
