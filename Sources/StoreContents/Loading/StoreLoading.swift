public import AtomicStores
import Foundation
import ModelDescription
public import ModelFiles
public import PersistentStores
import Synchronization
import VersionHashing

/// Makes a store of a text of objects, or adds the objects of one to a store.
///
/// The text is JSON, JSON lines or CSV, as `modelctl dump` writes them. Everything that is wrong with its objects is found
/// before anything is written.
public struct StoreLoading: Sendable {
  /// The file, or the folder of tables.
  public var source: String
  /// The form of the text.
  public var form: LoadForm
  /// The entity of objects that name none, and of a table whose name is another.
  public var entity: String?
  /// The attributes by which objects of the text are those of the store, and links name objects.
  public var matches: [LoadMatch] = []
  /// True to change objects that are there.
  public var updates = false
  /// What the identity of a new store follows from; nil for that of the JSON store that is read, or a new one.
  public var seed: LoadSeed?
  /// What is known of the names of join tables.
  public var references: [JoinNameReference] = []
  /// How many seconds to wait for another process.
  public var busyTimeout = StoreWriter.defaultBusyTimeout
  /// True to write to a store that CloudKit mirrors, whose app may or may not send what is written here.
  public var writesMirrored = false
  /// False to check everything and change no store.
  public var isWritten = true
  /// Asked for each object; true gives up, and nothing is changed.
  public var interruption: (@Sendable () -> Bool)?
  /// The versions of the model, by which messages name that of a store.
  public var versions: [LoadedVersion]
  /// The version of the objects.
  public private(set) var version: LoadedVersion

  /// Says what is loaded.
  public init(_ source: String, form: LoadForm, version: LoadedVersion, versions: [LoadedVersion] = []) {
    (self.source, self.form, self.version) = (source, form, version)
    self.versions = versions.isEmpty ? [version] : versions
  }

  /// What was loaded.
  public struct Outcome: Hashable, Sendable {
    /// True when the store was made.
    public let isNew: Bool
    /// The number of objects that came, by entity.
    public internal(set) var inserted: [String: Int] = [:]
    /// The number of objects that were there and changed, by entity.
    public internal(set) var updated: [String: Int] = [:]
    /// The numbers of which the store keeps fewer digits, by entity and attribute.
    public internal(set) var rounded: [RoundedNumbers] = []

    init(isNew: Bool) { self.isNew = isNew }

    /// True when the store is not what it was.
    public var changesStore: Bool { isNew || !inserted.isEmpty || !updated.isEmpty }
  }

  /// Loads the objects: a new store gets its name when it is whole, a store that is there is changed by one save.
  ///
  /// - Parameters:
  ///   - path: the store; it is made where nothing is.
  ///   - kind: the kind of a new store; nil for SQLite.
  /// - Throws: ``LoadError`` with everything that is wrong with the objects, errors of files, `StoreError`,
  ///   `StoreCreationError`, `ObjectStoreError`; nothing is changed then.
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
        LoadSource(path: source, form: form, entity: entity, interruption: interruption),
        try LoadModel(version.hierarchy, matching: matches)
      )
    }
  }

  /// The version as a store of one of its configurations sees it; nil for every other store.
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

  /// The text is of a store of one configuration of the version.
  private struct OfConfiguration: Error {
    let version: LoadedVersion
  }

  /// Holds a JSON store's version against the wanted one.
  ///
  /// - Parameter isNew: true for a store that is made, which is to have the hashes of the text.
  /// - Throws: ``LoadError/otherVersion(_:version:wanted:)``, and what has a store of one configuration made.
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

/// An attribute by which objects of a text are matched with those of a store, such as `Customer.number`.
public struct LoadMatch: Hashable, Sendable {
  /// The entity; those below it are matched, too.
  public let entity: String
  /// The attribute.
  public let attribute: String

  /// Names an attribute.
  public init(entity: String, attribute: String) { (self.entity, self.attribute) = (entity, attribute) }

  /// Reads `Entity.attribute`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(entity: parts[0], attribute: parts[1])
  }
}

/// What the identity of a store that is made of a text follows from, so that the same text gives the same bytes.
public struct LoadSeed: Hashable, Sendable {
  private let text: String

  /// Takes a word or a number.
  public init(_ text: String) { self.text = text }

  var uuid: UUID { Self.uuid(of: "modelctl load\n\(text)") }

  /// A UUID of version 8, whose bits are those of a hash.
  fileprivate static func uuid(of text: String) -> UUID {
    var bytes = Array(DataDigest.sha256(of: Data(text.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// The names of files of external data of a new store, which are the same for the same text.
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
