public import Foundation
public import ModelDescription
public import ModelFiles
import VersionHashing

/// The model that wrote a store, recovered from a version's file by edits that explain the store's hashes.
///
/// The hashes prove the result.
public struct RecoveredModel: Sendable {
  /// An error if the model cannot be recovered.
  public enum RecoveryError: Error, Hashable, Sendable {
    /// No edit that was found explains these entities.
    case unexplained([String])
    /// The store has only the entities of a configuration.
    case configuration(String)
    /// The recovered model has other hashes than the store.
    case otherHashes
  }

  /// The model.
  public let model: ManagedObjectModel
  /// The text of its `contents` file: that of the version with the edits.
  public let contents: Data
  /// How the store differs from the version.
  public let differences: [EntityDifference]

  /// Recovers the model.
  ///
  /// - Parameters:
  ///   - nearest: the version with the fewest differences.
  ///   - versions: the versions of its bundle, whose definitions are tried.
  ///   - cached: the model in the store if it has the store's hashes; used if no edit explains them.
  public init(
    of metadata: StoreMetadata, nearest: NearestVersion, document: ContentsDocument, among versions: [LoadedVersion],
    cached: ManagedObjectModel?
  ) throws(RecoveryError) {
    if let configuration = nearest.configuration { throw .configuration(configuration) }
    let hashes = metadata.versionHashes
    let original = FormerModel(of: nearest.version, with: hashes, related: versions, columns: nearest.columns)
    differences = original.differences
    var model = original.hierarchy.model
    RecoveredIndexes(of: original.hierarchy, after: differences).fit(&model)
    model.entities.removeAll { hashes.entities[$0.name] == nil }
    var document = document
    document.model = model
    if let contents = Self.proved(document, hashes) {
      (self.model, self.contents) = (model, contents)
      return
    }
    if let cached {
      document.model = cached
      guard let contents = Self.proved(document, hashes) else { throw .otherHashes }
      (self.model, self.contents) = (cached, contents)
      return
    }
    let open = original.differences.filter { !$0.kind.isExplained || $0.kind == .onlyInStore }.map { difference in
      guard case .unknownAttributes = difference.kind else { return difference.entity }
      return "\(difference.entity), because \(difference)"
    }
    throw open.isEmpty ? .otherHashes : .unexplained(open)
  }

  /// The document's bytes if the model that is read from them has the hashes.
  private static func proved(_ document: ContentsDocument, _ hashes: VersionHashes) -> Data? {
    let data = document.data
    guard let read = try? ContentsReader.read(data, path: "contents").model,
      (try? VersionHashes(of: read)) == hashes
    else { return nil }
    return data
  }
}

extension RecoveredModel.RecoveryError: AdvisedError {
  /// Nil: the cause is about the store that the caller names.
  public var place: String? { nil }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .unexplained(let names):
      "at most two edits of a known version do not explain \(names.prefix(5).joined(separator: ", "))"
        + (names.count > 5 ? " and \(names.count - 5) more" : "")
    case .configuration(let name): "the store has only the entities of the configuration \(name)"
    case .otherHashes: "the edited model has other version hashes than the store"
    }
  }

  /// Nil: there is no general remedy.
  public var advice: Advice? { nil }
}

/// Adapts the indexes of a recovered model to the properties that the edits changed.
struct RecoveredIndexes {
  private let hierarchy: EntityHierarchy
  /// The names of properties in the store by their names in the version, for each declaring entity.
  private let renames: [String: [String: String]]

  init(of hierarchy: EntityHierarchy, after differences: [EntityDifference]) {
    self.hierarchy = hierarchy
    var renames: [String: [String: String]] = [:]
    for case .edited(let edits) in differences.map(\.kind) {
      for edit in edits {
        guard case .renamedProperty(let name, let storeName) = edit.change else { continue }
        renames[edit.entity, default: [:]][name] = storeName
      }
    }
    self.renames = renames
  }

  /// Adapts indexes to renamed properties, and removes the indexes of properties that do not exist.
  func fit(_ model: inout ManagedObjectModel) {
    for position in model.entities.indices {
      let columns = Columns(of: model.entities[position].name, self)
      model.entities[position].fetchIndexes = model.entities[position].fetchIndexes.compactMap(columns.fitting)
      model.entities[position].compoundIndexes = model.entities[position].compoundIndexes.compactMap { members in
        let names = members.compactMap(columns.name)
        return names.count == members.count ? names : nil
      }
    }
  }

  /// The names that the indexes of a single entity can use.
  private struct Columns {
    private let names: Set<String>
    private let renames: [String: String]

    init(of entity: String, _ indexes: RecoveredIndexes) {
      let properties = Array(indexes.hierarchy.allAttributes(of: entity).keys)
      names = Set(properties).union(indexes.hierarchy.allRelationships(of: entity).keys).union(["self", "entity"])
      renames = indexes.hierarchy.lineage(of: entity).reduce(into: [:]) { all, ancestor in
        all.merge(indexes.renames[ancestor.name] ?? [:]) { own, _ in own }
      }
    }

    /// The name of a column in the store; nil if the store did not have it.
    func name(_ column: String) -> String? {
      let key = String(column.prefix { $0 != "." })
      guard !names.contains(key) else { return column }
      guard let storeName = renames[key], names.contains(storeName) else { return nil }
      return storeName + column.dropFirst(key.count)
    }

    /// The index with the names of its columns in the store; nil if the store did not have one of them.
    func fitting(_ index: FetchIndexDescription) -> FetchIndexDescription? {
      var fitting = index
      for position in index.elements.indices {
        guard case .property(let column) = index.elements[position].subject else { continue }
        guard let name = name(column) else { return nil }
        fitting.elements[position].subject = .property(name)
      }
      return fitting
    }
  }
}
