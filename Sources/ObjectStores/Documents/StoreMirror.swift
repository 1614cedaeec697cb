public import AtomicStores
import Foundation
public import ModelDescription
public import ModelFiles
public import PersistentStores
import StoreRows
import Synchronization

/// A store of another kind than SQLite, which is worked on as a SQLite store in a temporary folder.
///
/// The folder goes with the mirror. The file itself is changed by ``update(model:backup:)`` only, whole or not at all.
public final class StoreMirror: Sendable {
  /// The file.
  public let path: String
  /// Its kind.
  public let kind: any StoreKind
  /// What the file says about itself.
  public let metadata: StoreMetadata
  /// The version whose hashes the file has; nil where none of those given has them, and the SQLite store has the metadata only.
  public let version: LoadedVersion?
  /// The SQLite store, which has the name of the file.
  public let store: String
  private let folder: TemporaryStoreFolder
  private let files: any FileOperations
  private let waiting: Waiting
  /// What keeps others from writing the file since it was read; nil where nobody is kept.
  private let turn: AtomicFile?
  /// A copy of what the file held when it was last read or written, in the folder; nil where nothing is put into the file.
  private let held: Mutex<String?>

  /// How a mirror waits while another program writes files of the folder.
  public struct Waiting: Sendable {
    /// How many seconds.
    public var busyTimeout: Double
    /// True to wait before the file is read, so that nobody writes it until the mirror goes: for one change of the file.
    public var takesTurn: Bool
    /// Asked often; true gives up with `StoreError.interrupted(path:)`.
    public var interruption: (@Sendable () -> Bool)?

    /// Makes a description of waiting.
    public init(
      busyTimeout: Double = StoreWriter.defaultBusyTimeout, takesTurn: Bool = false,
      interruption: (@Sendable () -> Bool)? = nil
    ) {
      (self.busyTimeout, self.takesTurn, self.interruption) = (busyTimeout, takesTurn, interruption)
    }
  }

  /// What was put into the file, as long as it may be taken back; no other program of this kind writes the file meanwhile.
  struct Replacement {
    fileprivate let previous: String?
    fileprivate let file: AtomicFile
    fileprivate let old: String?
    /// Why the change may not be on the disk, so that it is to be taken back.
    let failure: StoreError?

    /// Gives up the way back.
    func finish() {
      if let old { file.forget(old) }
      if let previous { try? FileManager.default.removeItem(atPath: previous) }
    }
  }

  /// Reads a file of another kind than SQLite.
  ///
  /// - Parameters:
  ///   - kinds: the kinds that it may be of.
  ///   - versions: the versions that its objects may be of.
  ///   - waiting: how it waits for other programs.
  /// - Returns: nil for a file of none of the kinds.
  /// - Throws: `StoreDocumentError`, `StoreError`, `StoreCreationError`.
  public static func of(
    _ path: String, kinds: [any StoreKind] = StoreKinds.builtIn, versions: [LoadedVersion],
    waiting: Waiting = Waiting()
  ) throws -> StoreMirror? {
    let identify = { (metadata: StoreMetadata) in versions.first { $0.versionHashes == metadata.versionHashes } }
    return try of(path, kinds: kinds, identify: identify, waiting: waiting)
  }

  /// Reads a file of another kind than SQLite, whose version somebody else finds.
  ///
  /// - Parameters:
  ///   - kinds: the kinds that it may be of.
  ///   - readsObjects: false for the metadata and empty tables; the file is not written then.
  ///   - identify: gives the version that the objects are of; nil where it is not known.
  ///   - waiting: how it waits for other programs, and when it gives up.
  /// - Returns: nil for a file of none of the kinds.
  public static func of(
    _ path: String, kinds: [any StoreKind] = StoreKinds.builtIn, readsObjects: Bool = true,
    identify: (StoreMetadata) throws -> LoadedVersion?, waiting: Waiting = Waiting()
  ) throws -> StoreMirror? {
    guard let kind = StoreKinds.kind(ofFile: path, among: kinds) else { return nil }
    return try read(path, kind, readsObjects: readsObjects, identify, SystemFiles(), waiting)
  }

  /// Reads what a file of another kind than SQLite says about itself, and none of its objects.
  ///
  /// - Parameter kinds: the kinds that it may be of.
  /// - Returns: nil for a file of none of the kinds.
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

  /// Reads a file of a kind into a SQLite store in a new temporary folder.
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

  /// Makes the SQLite store that stands for a file, object by object where that is possible.
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

  /// Keeps bytes in a file of the folder, to which the file can be compared without holding them.
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

  /// True where the file holds what it did when it was last read or written.
  private func holds(_ held: String?) throws -> Bool { try held.map { try FileBytes.areSame(path, $0) } ?? false }

  /// A model without entities, for a store of which only the metadata can be read.
  private static var empty: LoadedVersion {
    get throws { try LoadedVersion(bundle: "", name: "", isCurrent: false, model: ManagedObjectModel {}) }
  }

  /// Opens the SQLite store for reading; messages name the file.
  public func reader(
    busyTimeout: Double = 5, interruption: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) -> StoreReader {
    try StoreReader(path: path, file: store, keptBy: self, busyTimeout: busyTimeout, interruption: interruption)
  }

  /// Puts what the SQLite store holds into the file, whole or not at all, but for links to objects that are not there.
  ///
  /// - Parameters:
  ///   - model: the model of the objects that the SQLite store has now.
  ///   - backup: the name that the old file keeps; nil for none.
  /// - Throws: ``ObjectStoreError/replaced(path:)`` when somebody else has changed the file meanwhile,
  ///   `StoreDocumentError` for what the kind cannot hold, `StoreError`; the file is as it was then.
  public func update(model: EntityHierarchy, backup: String? = nil) throws {
    let bytes = try bytes(of: model)
    let replacement = try exchange(for: bytes) { (file) throws(StoreError) in
      try file.replace(with: bytes, backup: backup)
      return (nil, nil)
    }
    replacement.finish()
  }

  /// Writes the content of the SQLite store as bytes of the kind, without links to missing objects.
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

  /// Replaces the file by one with this content, or leaves it, and keeps the old file until the change is final.
  ///
  /// - Parameter content: the content of the SQLite store, without links to missing objects.
  /// - Returns: the way back, which is to be finished or taken.
  func replace(with content: DocumentContent, model: EntityHierarchy) throws -> Replacement {
    let bytes = try bytes(of: content, model)
    return try exchange(for: bytes) { (file) throws(StoreError) in try file.replaceKeepingOld(with: bytes) }
  }

  /// Puts back what the file held before ``replace(with:model:)``, unless somebody has changed it since.
  ///
  /// - Throws: ``ObjectStoreError/replaced(path:)``, `StoreError`; this mirror writes the file no more then.
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

  /// Puts other bytes into the file, unless somebody has changed it.
  ///
  /// - Parameter work: puts it there, and gives a name of the old file.
  private func exchange(
    for new: Data, _ work: (AtomicFile) throws(StoreError) -> (old: String?, failure: StoreError?)
  ) throws -> Replacement {
    // Nobody else writes between the look at the file and its new name.
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

  /// Checks that what a store holds can be put into the file, and puts it nowhere.
  func check(_ content: DocumentContent, model: EntityHierarchy) throws {
    _ = try bytes(of: content, model)
    guard try holds(held.withLock { $0 }) else {
      throw ObjectStoreError.replaced(path: path)
    }
  }

  /// Reads what the SQLite store holds.
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

  /// A name for the old file that nothing has yet, such as `notes.json.v1.backup`.
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
