import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// A released version whose hashes are not any more what a witness says.
struct EditedVersion {
  /// What happened to one element.
  struct Edit: Hashable {
    /// The element, by its name of today unless it is gone.
    let element: ModelElement
    /// What happened, in a clause that begins with the element.
    let words: String
    /// False when only the entity is known.
    var isExplained = true
  }

  let version: CheckedVersion
  let hashes: VersionHashes
  /// Who says so, in words.
  let witnesses: String
  /// A revision of git that has the version as it was released.
  let revision: String?
  private let model: EntityHierarchy?
  private let related: [KnownVersion]

  init(_ version: CheckedVersion, witnesses: [ReleasedVersion], hashes: VersionHashes, related: [KnownVersion]) {
    self.version = version
    self.hashes = hashes
    self.witnesses = witnesses.words
    revision = witnesses.compactMap(\.revision).first
    self.related = related
    model = witnesses.lazy.compactMap(\.model).compactMap { try? EntityHierarchy($0) }.first
  }

  /// Every edit; at least one.
  ///
  /// They come from the model of a witness where one has it, else from the search for edits that give the hashes.
  var edits: [Edit] {
    var edits: [Edit]
    if let model {
      edits = Self.edits(from: model, to: version.known.hierarchy)
    } else {
      let former = FormerModel(of: version.known, with: hashes, related: related)
      edits = Self.edits(from: former.hierarchy, to: version.known.hierarchy)
      edits += former.differences.compactMap { Self.unexplained($0, among: edits) }
    }
    guard edits.isEmpty else { return edits }
    let names = Set(hashes.entities.keys).union(version.known.versionHashes.entities.keys)
      .filter { hashes.entities[$0] != version.known.versionHashes.entities[$0] }.sorted()
    return [Edit(element: .model, words: "\(NameList.text(names)) have other hashes", isExplained: false)]
  }

  private static func edits(from former: EntityHierarchy, to latter: EntityHierarchy) -> [Edit] {
    let changes = ModelDifference(from: former, to: latter).changes.filter(\.changesHash)
    let own = changes.filter { !$0.isConsequence }
    var order: [ModelElement] = []
    var clauses: [ModelElement: [String]] = [:]
    for change in own.isEmpty ? changes : own {
      if clauses[change.element] == nil { order.append(change.element) }
      clauses[change.element, default: []].append(change.clause)
    }
    return order.map { Edit(element: $0, words: "\($0) \((clauses[$0] ?? []).joined(separator: ", "))") }
  }

  /// What the search could only tell of a whole entity.
  private static func unexplained(_ difference: EntityDifference, among edits: [Edit]) -> Edit? {
    let name = difference.entity
    guard !edits.contains(where: { $0.element == .entity(name) }) else { return nil }
    return switch difference.kind {
    case .onlyInStore: Edit(element: .entity(name), words: "\(name) was removed")
    case .onlyInVersion: Edit(element: .entity(name), words: "\(name) was added")
    case .unexplained:
      Edit(element: .entity(name), words: "\(name) was edited (its hash alone does not tell how)", isExplained: false)
    default: nil
    }
  }
}

extension BundleHistory {
  /// The released versions that were edited, once for each set of hashes that witnesses say they had.
  var editedVersions: [EditedVersion] {
    versions.flatMap { version in
      let witnesses = released.filter { $0.name == version.name && $0.hashes != version.known.versionHashes }
      var seen: [VersionHashes] = []
      for witness in witnesses where !seen.contains(witness.hashes) { seen.append(witness.hashes) }
      return seen.map { hashes in
        EditedVersion(
          version, witnesses: witnesses.filter { $0.hashes == hashes }, hashes: hashes, related: versions.map(\.known))
      }
    }
  }
}
