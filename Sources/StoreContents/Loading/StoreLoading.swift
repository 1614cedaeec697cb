public import AtomicStores
import Foundation
import ModelDescription
public import ModelFiles
public import PersistentStores
import Synchronization
import VersionHashing

/// Makes a store from a text of objects, or loads the objects into a store.
///
/// The text is JSON, JSON lines or CSV, as `modelctl dump` writes it. All errors in its objects are found before the
/// store is changed.
public struct StoreLoading: Sendable {
  /// The file, or the folder of tables.
  public var source: String
  /// The format of the text.
  public var format: LoadFormat
  /// The entity of objects that do not name one, and of a table with a different name.
  public var entity: String?
  /// The attributes that match objects of the text with objects of the store, and that identify objects in links.
  public var matches: [LoadMatch] = []
  /// Whether to update existing objects.
  public var updates = false
  /// The seed of a new store's UUID; nil for the UUID of a JSON store, or a random UUID.
  public var seed: LoadSeed?
  /// The known names of join tables.
  public var references: [JoinNameReference] = []
  /// The number of seconds to wait for another process.
  public var busyTimeout = StoreWriter.defaultBusyTimeout
  /// Whether to write to a store that CloudKit mirrors; the app may or may not send the changes to CloudKit.
  public var writesMirrored = false
  /// False to check everything and change no store.
  public var isWritten = true
  /// Called for each object; true cancels, and no object is changed.
  public var interruption: (@Sendable () -> Bool)?
  /// The versions of the model, by which messages name that of a store.
  public var versions: [LoadedVersion]
  /// The version of the objects.
  public private(set) var version: LoadedVersion

  /// Creates a loading.
  public init(_ source: String, format: LoadFormat, version: LoadedVersion, versions: [LoadedVersion] = []) {
    (self.source, self.format, self.version) = (source, format, version)
    self.versions = versions.isEmpty ? [version] : versions
  }

  /// The result of a loading.
  public struct Outcome: Hashable, Sendable {
    /// Whether the store is new.
    public let isNew: Bool
    /// The number of inserted objects, by entity.
    public internal(set) var inserted: [String: Int] = [:]
    /// The number of objects that were there and changed, by entity.
    public internal(set) var updated: [String: Int] = [:]
    /// The numbers of which the store keeps fewer digits, by entity and attribute.
    public internal(set) var rounded: [RoundedNumbers] = []

    init(isNew: Bool) { self.isNew = isNew }

    /// Whether the store was changed.
    public var changesStore: Bool { isNew || !inserted.isEmpty || !updated.isEmpty }
  }

  /// Loads the objects: a new store gets its name when it is complete; an existing store is changed by one save.
  ///
  /// - Parameters:
  ///   - path: the store; it is created if it does not exist.
  ///   - kind: the type of a new store; nil for SQLite.
  /// - Throws: ``LoadError`` with all errors in the objects, errors of files, `StoreError`, `StoreCreationError`,
  ///   `ObjectStoreError`; the store is unchanged.
  public func run(to path: String, kind: (any StoreKind)? = nil) throws -> Outcome {
    var loading = self
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
      if let part = try part(ofStoreAt: path) { loading.version = part }
      let (text, model) = try loading.parts
      return try StoreFilling(loading, text, model).run(path).outcome
    }
    let folder = isWritten ? nil : try TemporaryStoreFolder()
    let path = folder?.path(of: (path as NSString).lastPathComponent) ?? path
    do {
      let (text, model) = try loading.parts
      return try NewStore(loading, text, model).make(at: path, kind: kind)
    } catch let other as OfConfiguration {
      loading.version = other.version
      let (text, model) = try loading.parts
      return try NewStore(loading, text, model).make(at: path, kind: kind)
    }
  }

  private var parts: (text: LoadSource, model: LoadModel) {
    get throws {
      (
        LoadSource(path: source, format: format, entity: entity, interruption: interruption),
        try LoadModel(version.hierarchy, matching: matches)
      )
    }
  }

  /// The version restricted to the configuration of the store; nil for other stores.
  private func part(ofStoreAt path: String) throws -> LoadedVersion? {
    guard !version.hierarchy.model.configurations.isEmpty else { return nil }
    // What is wrong with the store is said when it is opened.
    if let kind = StoreKinds.kind(ofFile: path, among: StoreKinds.builtIn) {
      let metadata = (try? FileBytes.whole(path)).flatMap { try? kind.metadata(in: $0, path: path) }
      return metadata.flatMap { version.restricted(to: $0.versionHashes) }
    }
    do {
      let reader = try StoreReader(path: path, busyTimeout: busyTimeout, interruption: interruption)
      defer { reader.close() }
      return version.restricted(to: try reader.metadata().versionHashes)
    } catch {
      switch error {
      case StoreError.heldByAnotherProcess, StoreError.interrupted: throw error
      default: return nil
      }
    }
  }

  /// The text is from a store of a single configuration of the version.
  private struct OfConfiguration: Error {
    let version: LoadedVersion
  }

  /// Compares a JSON store's version with the expected one.
  ///
  /// - Parameter isNew: whether a new store is made, with the hashes of the text.
  /// - Throws: ``LoadError/otherVersion(_:version:wanted:)``, and `OfConfiguration` for a store of one configuration.
  func check(_ head: LoadSource.Head, isNew: Bool) throws {
    guard let (metadata, location) = head.metadata, metadata.versionHashes != version.versionHashes else { return }
    if let part = version.restricted(to: metadata.versionHashes) {
      if isNew { throw OfConfiguration(version: part) }
      return
    }
    let known = versions.first { $0.versionHashes == metadata.versionHashes }
    throw LoadError.otherVersion(location, version: known?.name, wanted: version.name)
  }
}

/// An attribute that matches objects of a text with objects of a store, such as `Customer.number`.
public struct LoadMatch: Hashable, Sendable {
  /// The entity, including its subentities.
  public let entity: String
  /// The attribute.
  public let attribute: String

  /// Names an attribute.
  public init(entity: String, attribute: String) { (self.entity, self.attribute) = (entity, attribute) }

  /// Parses `Entity.attribute`; nil for other texts.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(entity: parts[0], attribute: parts[1])
  }
}

/// The seed of the UUID of a new store, so that the same text gives the same bytes.
public struct LoadSeed: Hashable, Sendable {
  private let text: String

  /// Creates a seed from a word or a number.
  public init(_ text: String) { self.text = text }

  var uuid: UUID { Self.uuid(of: "modelctl load\n\(text)") }

  /// A UUID of version 8, made from the bits of a hash.
  fileprivate static func uuid(of text: String) -> UUID {
    var bytes = Array(DataDigest.sha256(of: Data(text.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// The names of files of external data of a new store, which are equal for equal texts.
final class LoadedFileNames: Sendable {
  private let count = Mutex(0)

  @Sendable func next() -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return LoadSeed.uuid(of: "modelctl load file\n\(number)").uuidString
  }
}
