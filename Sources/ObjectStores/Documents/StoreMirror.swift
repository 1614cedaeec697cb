public import AtomicStores
import Foundation
public import ModelDescription
public import ModelFiles
public import PersistentStores
import StoreRows
import Synchronization

/// An atomic store with an SQLite copy in a temporary folder, on which all work is done.
///
/// The folder is removed with the mirror. Only ``update(model:backup:)`` changes the file, and it does so atomically.
public final class StoreMirror: Sendable {
  /// The file.
  public let path: String
  /// The store type.
  public let kind: any StoreKind
  /// The metadata of the file.
  public let metadata: StoreMetadata
  /// The version with the hashes of the file; nil if none of the given versions has them.
  ///
  /// The SQLite copy then has only the metadata.
  public let version: LoadedVersion?
  /// The SQLite store, which has the name of the file.
  public let store: String
  private let folder: TemporaryStoreFolder
  private let files: any FileOperations
  private let waiting: Waiting
  /// The lock that keeps other processes from writing the file since it was read; nil without a lock.
  private let turn: AtomicFile?
  /// The path of a copy of the file's content at its last read or write, in the folder; nil if the file is never
  /// written.
  private let held: Mutex<String?>

  /// The rules for waiting while another process writes files of the folder.
  public struct Waiting: Sendable {
    /// How many seconds.
    public var busyTimeout: Double
    /// True to wait before the file is read, and to lock it while the mirror exists, for one change of the file.
    public var takesTurn: Bool
    /// Called often; return true to stop with `StoreError.interrupted(path:)`.
    public var interruption: (@Sendable () -> Bool)?

    /// Creates rules for waiting.
    public init(
      busyTimeout: Double = StoreWriter.defaultBusyTimeout, takesTurn: Bool = false,
      interruption: (@Sendable () -> Bool)? = nil
    ) {
      (self.busyTimeout, self.takesTurn, self.interruption) = (busyTimeout, takesTurn, interruption)
    }
  }

  /// The last change of the file while it can be reverted; no other process of this kind can write the file during this
  /// time.
  struct Replacement {
    fileprivate let previous: String?
    fileprivate let file: AtomicFile
    fileprivate let old: String?
    /// The reason why the change may not be on the disk and must be reverted.
    let failure: StoreError?

    /// Makes the change final.
    func finish() {
      if let old { file.forget(old) }
      if let previous { try? FileManager.default.removeItem(atPath: previous) }
    }
  }

  /// Reads the file of an atomic store.
  ///
  /// - Parameters:
  ///   - kinds: the possible store types.
  ///   - versions: the possible versions of its objects.
  ///   - waiting: the rules for waiting.
  /// - Returns: nil for a file of none of the store types.
  /// - Throws: `StoreDocumentError`, `StoreError`, `StoreCreationError`.
  public static func of(
    _ path: String, kinds: [any StoreKind] = StoreKinds.builtIn, versions: [LoadedVersion],
    waiting: Waiting = Waiting()
  ) throws -> StoreMirror? {
    let identify = { (metadata: StoreMetadata) in versions.first { $0.versionHashes == metadata.versionHashes } }
    return try of(path, kinds: kinds, identify: identify, waiting: waiting)
  }

  /// Reads the file of an atomic store whose version the caller identifies.
  ///
  /// - Parameters:
  ///   - kinds: the possible store types.
  ///   - readsObjects: false for the metadata and empty tables; the file cannot be written then.
  ///   - identify: returns the version of the objects; nil if it is unknown.
  ///   - waiting: the rules for waiting and stopping.
  /// - Returns: nil for a file of none of the store types.
  public static func of(
    _ path: String, kinds: [any StoreKind] = StoreKinds.builtIn, readsObjects: Bool = true,
    identify: (StoreMetadata) throws -> LoadedVersion?, waiting: Waiting = Waiting()
  ) throws -> StoreMirror? {
    guard let kind = StoreKinds.kind(ofFile: path, among: kinds) else { return nil }
    return try read(path, kind, readsObjects: readsObjects, identify, SystemFiles(), waiting)
  }

  /// Reads the metadata of an atomic store's file, without its objects.
  ///
  /// - Parameter kinds: the possible store types.
  /// - Returns: nil for a file of none of the store types.
  /// - Throws: `StoreDocumentError`, and Foundation's error.
  public static func metadata(of path: String, kinds: [any StoreKind] = StoreKinds.builtIn) throws -> StoreMetadata? {
    guard let kind = StoreKinds.kind(ofFile: path, among: kinds) else { return nil }
    return try kind.checkedMetadata(ofFile: path)
  }

  private init(
    _ path: String, _ kind: any StoreKind, _ metadata: StoreMetadata, _ version: LoadedVersion?, _ held: String?,
    store: String, in folder: TemporaryStoreFolder, _ files: any FileOperations, _ waiting: Waiting, _ turn: AtomicFile?
  ) {
    (self.path, self.kind, self.metadata, self.version, self.files) = (path, kind, metadata, version, files)
    (self.store, self.folder, self.waiting, self.turn) = (store, folder, waiting, turn)
    self.held = Mutex(held)
  }

  /// Reads a file of a store type into an SQLite store in a new temporary folder.
  static func read(
    _ path: String, _ kind: any StoreKind, readsObjects: Bool = true,
    _ identify: (StoreMetadata) throws -> LoadedVersion?, _ files: any FileOperations, _ waiting: Waiting = Waiting()
  ) throws -> StoreMirror {
    let interruption = waiting.interruption
    func checkInterruption() throws(StoreError) { if interruption?() == true { throw .interrupted(path: path) } }
    let turn =
      try waiting.takesTurn
      ? AtomicFile(path: path, files, busyTimeout: waiting.busyTimeout, interruption: interruption) : nil
    let folder = try TemporaryStoreFolder()
    let store = folder.path(of: URL(fileURLWithPath: path).lastPathComponent)
    let (metadata, version): (StoreMetadata, LoadedVersion?)
    var held: String?
    do {
      if readsObjects {
        let bytes = try FileBytes.whole(path)
        try checkInterruption()
        metadata = try kind.checkedMetadata(in: bytes, path: path)
        version = try identify(metadata)
        try checkInterruption()
        if let version { try fill(store, with: bytes, of: kind, version, path: path, interruption) }
        held = try keep(bytes, in: folder)
      } else {
        metadata = try kind.checkedMetadata(ofFile: path)
        version = try identify(metadata)
      }
      try checkInterruption()
      if !readsObjects || version == nil {
        let document = StoreDocument(metadata: metadata, objects: [])
        try document.makeMirror(at: store, version: version ?? empty, isInterrupted: interruption)
      }
    } catch StoreCreationError.interrupted {
      throw StoreError.interrupted(path: path)
    }
    return StoreMirror(path, kind, metadata, version, held, store: store, in: folder, files, waiting, turn)
  }

  /// Creates the SQLite copy of a file, one object at a time if possible.
  private static func fill(
    _ store: String, with bytes: Data, of kind: any StoreKind, _ version: LoadedVersion, path: String,
    _ interruption: (@Sendable () -> Bool)?
  ) throws {
    if let kind = kind as? any PiecewiseStoreKind {
      do {
        return try StoreDocument.makeMirror(at: store, version: version, isInterrupted: interruption) {
          let filling = ObjectFilling($0)
          let rest = try kind.read(bytes, of: version.hierarchy, path: path, filling.add)
          guard let rest else { throw ObjectFilling.Contradiction() }
          try filling.finish(rest, $1)
        }
      } catch let error as StoreCreationError {
        if case .interrupted = error { throw error }
      } catch StoreError.temporaryFolderFull(let path) {
        throw StoreError.temporaryFolderFull(path: path)
      } catch {
        // The reader of the complete document finds the cause and its location.
      }
    }
    let document = try kind.checkedDocument(in: bytes, of: version.hierarchy, path: path)
    if interruption?() == true { throw StoreError.interrupted(path: path) }
    try document.makeMirror(at: store, version: version, isInterrupted: interruption)
  }

  /// Keeps bytes in a file of the folder, so that the file can be compared with them without keeping them in memory.
  private static func keep(_ bytes: Data, in folder: TemporaryStoreFolder) throws -> String {
    let name = folder.path(of: "held-\(UUID().uuidString)")
    try StoreError.writingTemporaryStore(name) {
      do throws(FileError) {
        try SystemFiles().write(bytes, to: name)
      } catch {
        throw StoreError(error, writing: name)
      }
    }
    return name
  }

  /// True if the content of the file is the same as at its last read or write.
  private func holds(_ held: String?) throws -> Bool { try held.map { try FileBytes.areSame(path, $0) } ?? false }

  /// A model without entities, for a store whose metadata alone can be read.
  private static var empty: LoadedVersion {
    get throws { try LoadedVersion(bundle: "", name: "", isCurrent: false, model: ManagedObjectModel {}) }
  }

  /// Opens the SQLite store for reading; messages name the file.
  public func reader(
    busyTimeout: Double = 5, interruption: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) -> StoreReader {
    try StoreReader(path: path, file: store, keptBy: self, busyTimeout: busyTimeout, interruption: interruption)
  }

  /// Writes the content of the SQLite store to the file atomically, without dangling links.
  ///
  /// - Parameters:
  ///   - model: the current model of the objects in the SQLite store.
  ///   - backup: the name that the old file keeps; nil for none.
  /// - Throws: ``ObjectStoreError/replaced(path:)`` if another process has changed the file, `StoreDocumentError` for a
  ///   value that the store type cannot store, `StoreError`; the file is then unchanged.
  public func update(model: EntityHierarchy, backup: String? = nil) throws {
    let bytes = try bytes(of: model)
    let replacement = try exchange(for: bytes) { (file) throws(StoreError) in
      try file.replace(with: bytes, backup: backup)
      return (nil, nil)
    }
    replacement.finish()
  }

  /// Writes the content of the SQLite store as bytes of the store type, without dangling links.
  private func bytes(of model: EntityHierarchy) throws -> Data {
    let reader = try reader()
    defer { reader.close() }
    return try reader.read { database in
      let reading = try RecordReading(of: model, readBy: reader, in: database)
      try reading.checkWholeness()
      let objects = try StoredObjects(reading, removesLinks: true)
      return try bytes(of: objects.content(StoreMetadata(reading: database, path: reader.file)), model)
    }
  }

  /// Replaces the content of the file atomically, and keeps the old file until the change is final.
  ///
  /// - Parameter content: the content of the SQLite store, without dangling links.
  /// - Returns: the change, which must be finished or reverted.
  func replace(with content: DocumentContent, model: EntityHierarchy) throws -> Replacement {
    let bytes = try bytes(of: content, model)
    return try exchange(for: bytes) { (file) throws(StoreError) in try file.replaceKeepingOld(with: bytes) }
  }

  /// Restores the content before ``replace(with:model:)``, unless another process has changed the file since.
  ///
  /// - Throws: ``ObjectStoreError/replaced(path:)``, `StoreError`; this mirror cannot write the file any more then.
  func takeBack(_ replacement: Replacement) throws {
    defer { if let old = replacement.old { replacement.file.forget(old) } }
    try held.withLock { held in
      let written = held
      // A file that keeps the change is none that this mirror knows: the next save is refused.
      held = replacement.previous
      guard try holds(written), let previous = replacement.previous else {
        throw ObjectStoreError.replaced(path: path)
      }
      if let old = replacement.old, (try? replacement.file.putBack(old)) != nil { return }
      try replacement.file.replace(with: FileBytes.whole(previous), sparing: replacement.old)
    }
  }

  /// Replaces the bytes of the file, unless another process has changed it.
  ///
  /// - Parameter work: replaces the file, and returns a name of the old file.
  private func exchange(
    for new: Data, _ work: (AtomicFile) throws(StoreError) -> (old: String?, failure: StoreError?)
  ) throws -> Replacement {
    // No other process writes between the check of the file and its replacement.
    let file =
      try turn
      ?? AtomicFile(path: path, files, busyTimeout: waiting.busyTimeout, interruption: waiting.interruption)
    return try held.withLock { held in
      guard try holds(held) else {
        throw ObjectStoreError.replaced(path: path)
      }
      let kept = try Self.keep(new, in: folder)
      do {
        let (old, failure) = try work(file)
        let replacement = Replacement(previous: held, file: file, old: old, failure: failure)
        held = kept
        return replacement
      } catch {
        try? FileManager.default.removeItem(atPath: kept)
        throw error
      }
    }
  }

  /// Checks that the content of a store can be written to the file, without writing it.
  func check(_ content: DocumentContent, model: EntityHierarchy) throws {
    _ = try bytes(of: content, model)
    guard try holds(held.withLock { $0 }) else {
      throw ObjectStoreError.replaced(path: path)
    }
  }

  /// Reads the content of the SQLite store.
  package func document(of model: EntityHierarchy) throws -> StoreDocument {
    let reader = try reader()
    defer { reader.close() }
    var document = try StoreDocument(of: reader, model: model)
    document.metadata = document.metadata.of(kind: kind.name, framework: metadata.frameworkVersion)
    return document
  }

  private func bytes(of content: DocumentContent, _ model: EntityHierarchy) throws -> Data {
    var content = content
    content.metadata = content.metadata.of(kind: kind.name, framework: metadata.frameworkVersion)
    return try kind.checkedBytes(of: content, model: model, path: path)
  }

  /// An unused name for the old file, such as `notes.json.v1.backup`.
  public func backupName(of version: String) -> String {
    let name = "\(path).\(version.replacing("/", with: "-")).backup"
    var free = name
    var number = 2
    while FileManager.default.fileExists(atPath: free) {
      free = "\(name)-\(number)"
      number += 1
    }
    return free
  }
}
