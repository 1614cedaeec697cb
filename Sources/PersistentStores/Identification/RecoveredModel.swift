public import Foundation
public import ModelDescription
public import ModelFiles
import VersionHashing

/// The model that wrote a store, made of a version's file by the edits that explain the store's hashes, and proved by
/// them.
public struct RecoveredModel: Sendable {
  /// Why the model could not be made.
  public enum Failure: Error, Hashable, Sendable {
    /// No edit that was found explains these entities.
    case unexplained([String])
    /// The store holds a configuration's entities only.
    case configuration(String)
    /// What was made has other hashes.
    case otherHashes
  }

  /// The model.
  public let model: ManagedObjectModel
  /// The text of its `contents` file, which is the version's but for the edits.
  public let contents: Data
  /// How the store differs from the version.
  public let differences: [EntityDifference]

  /// Makes the model.
  ///
  /// - Parameters:
  ///   - metadata: what the store says about itself.
  ///   - nearest: the version that differs least.
  ///   - document: that version's file.
  ///   - versions: the versions of its bundle, whose definitions are tried.
  ///   - cached: the model in the store where it has the store's hashes; used where no edit explains them.
  /// - Throws: ``Failure``.
  public init(
    of metadata: StoreMetadata, nearest: NearestVersion, document: ContentsDocument, among versions: [KnownVersion],
    cached: ManagedObjectModel?
  ) throws(Failure) {
    if let configuration = nearest.configuration { throw .configuration(configuration) }
    let hashes = metadata.versionHashes
    let former = FormerModel(of: nearest.version, with: hashes, related: versions)
    differences = former.differences
    var model = former.hierarchy.model
    RecoveredIndexes(of: former.hierarchy, after: differences).fit(&model)
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
    let open = former.differences.filter { $0.kind == .unexplained || $0.kind == .onlyInStore }.map(\.entity)
    throw open.isEmpty ? .otherHashes : .unexplained(open)
  }

  /// The document's bytes where the model that is read from them has the hashes.
  private static func proved(_ document: ContentsDocument, _ hashes: VersionHashes) -> Data? {
    let data = document.data
    guard let read = try? ContentsReader.read(data, path: "contents").model,
      (try? VersionHashes(of: read)) == hashes
    else { return nil }
    return data
  }
}

extension RecoveredModel.Failure: CustomStringConvertible {
  /// The cause.
  public var description: String {
    switch self {
    case .unexplained(let names):
      "no two edits of a version here explain \(names.prefix(5).joined(separator: ", "))"
        + (names.count > 5 ? " and \(names.count - 5) more" : "")
    case .configuration(let name): "it holds the configuration \(name) only, which says nothing of the other entities"
    case .otherHashes: "what the edits give has other version hashes"
    }
  }
}
