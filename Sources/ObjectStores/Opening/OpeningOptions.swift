public import AtomicStores
import Foundation
public import ModelDescription
import ModelFiles
public import PersistentStores
public import StoreMigration
public import StoreRows

/// Options for opening a store.
public struct OpeningOptions: Sendable {
  /// The action if a store has an older version.
  public enum Migration: Hashable, Sendable {
    /// Migrate the store. The request must allow each loss of data.
    case migrate
    /// Refuse to open the store.
    case refuse
    /// Migrate the store to the version of this name, whose model the objects then have. The named values may be lost;
    /// a name has the form `Entity.property`.
    case to(String, allowingLossOf: Set<String> = [])
  }

  /// The action if a store has an older version.
  public var migration = Migration.migrate
  /// True to create the store if it does not exist.
  public var createsMissing = true
  /// The store types besides SQLite; the content of an existing file determines its type.
  public var kinds = StoreKinds.builtIn
  /// The type of a store that is created; nil for SQLite.
  public var kindOfMissing: (any StoreKind)?
  /// True to write to a store that CloudKit mirrors; the app may not upload changes that are written here.
  public var writesMirrored = false
  /// The author of saves in persistent history.
  public var author = RecordWriting.Author()
  /// The seconds to wait for another process, such as one that migrates the store.
  public var busyTimeout = 5.0
  /// True to open readers next to the writer if a store has a write-ahead log; this writes to the log.
  ///
  /// False if one connection is enough, so that opening the store without changes does not change its files.
  package var readsBesideWriter = true
  /// True to lock an atomic store against other writers from the read until the save.
  package var takesTurn = false
  /// Called while an atomic store waits for others or is read; return true to stop.
  package var interruption: (@Sendable () -> Bool)?
  /// The operations that create and remove files of external data.
  package var files: any FileOperations = SystemFiles()
  /// Returns the name of the next file of external data.
  package var externalName: @Sendable () -> String = { UUID().uuidString }
  /// Called with the progress of a migration.
  public var progress: (@Sendable (MigrationProgress) -> Void)?

  /// Creates options that migrate an older store and create a missing store.
  public init() {}
}

/// The result of opening a store.
public enum StoreOpening: Hashable, Sendable {
  /// The store did not exist and was created.
  case created
  /// The store had the requested version.
  case opened
  /// The store was migrated.
  case migrated(from: String, to: String, backup: String?)
}

/// An error if a store cannot be opened or used.
public enum ObjectStoreError: Error, Hashable, Sendable {
  /// No version has the requested name.
  case unknownVersion(String, known: [String])
  /// The store does not contain its model, such as a store that neither Core Data nor modelctl created.
  case noModel(path: String)
  /// The store does not exist and must not be created.
  case missing(path: String)
  /// The store has an older version and must not be migrated.
  case older(path: String, version: String?, wanted: String)
  /// The store has a version that comes after the requested version.
  case newer(path: String, version: String, wanted: String)
  /// Another process replaced or migrated the store while it was open.
  case replaced(path: String)
  /// A save failed after it changed the file, and the change could not be reverted.
  case notTakenBack(path: String, failure: CaughtError, obstacle: CaughtError)
  /// A transaction was used after its end.
  case ended
  /// A closure that saves started a save or closed the store, or a closure that reads did so in a store without a
  /// write-ahead log.
  case nested(path: String)
  /// A reading or a transaction was used on a different thread or queue than the one of its closure.
  case elsewhere
  /// The store was used after it was closed.
  case closed(path: String)
  /// CloudKit mirrors the store.
  case mirrored(path: String)
  /// A migration would lose values of an attribute, or of an element of a composite attribute, that lacks a type.
  case untyped(path: String, entity: String, attribute: [String])

  /// Returns the error for a store of a different version, depending on the order of the versions.
  static func otherVersion(_ path: String, _ found: LoadedVersion?, _ request: MigrationRequest) -> ObjectStoreError {
    func position(_ version: LoadedVersion) -> Int? {
      request.versions.firstIndex { $0.versionHashes == version.versionHashes }
    }
    let wanted = request.destination
    if let found, let own = position(found), let other = position(wanted), own > other {
      return .newer(path: path, version: found.name, wanted: wanted.name)
    }
    return .older(path: path, version: found?.name, wanted: wanted.name)
  }
}

extension ObjectStoreError: AdvisedError {
  /// The path of the store; nil if the error is not about one store.
  public var place: String? {
    switch self {
    case .noModel(let path), .missing(let path), .older(let path, _, _), .newer(let path, _, _), .replaced(let path),
      .notTakenBack(let path, _, _), .nested(let path), .closed(let path), .mirrored(let path),
      .untyped(let path, _, _):
      path
    case .unknownVersion, .ended, .elsewhere: nil
    }
  }

  /// The cause as a sentence without the path.
  public var cause: String {
    switch self {
    case .unknownVersion(let name, let known):
      CommonWords.unknown("version", name, in: "the model", near: [])
        + "; its versions are \(known.joined(separator: ", "))"
    case .noModel: "the store does not contain its model"
    case .missing: CommonWords.missingFile
    case .newer(_, let version, let wanted): "the store has version \(version), which comes after \(wanted)"
    case .older(_, let version?, let wanted): "the store has version \(version) instead of \(wanted)"
    case .older(_, nil, let wanted): "the store has none of the known versions, so it cannot be opened with \(wanted)"
    case .replaced: "another process wrote, migrated or replaced the store"
    case .notTakenBack(_, let failure, let obstacle):
      "the save failed, but the file has its change, which could not be reverted. "
        + "The save failed because: \(failure). The revert failed because: \(obstacle)"
    case .ended: "the transaction has ended"
    case .nested: "a closure that reads or saves requested a save or a close, which would wait for that closure to end"
    case .elsewhere: "a reading or a transaction was used outside the thread that runs its closure"
    case .closed: "the store was closed"
    case .mirrored: "CloudKit mirrors this store, and the app may not upload changes that are written here"
    case .untyped(_, let entity, let attribute):
      "\(entity) has values of \(attribute.joined(separator: ".")), which has no type, and this migration would lose them"
    }
  }

  /// The next step to try; nil if the cause implies it.
  public var advice: Advice? {
    switch self {
    case .noModel: "give the model that wrote it"
    case .newer(_, let version, _): "open it with \(version) or a later version"
    case .older(let path, .some, let wanted):
      "migrate it: \(run: "modelctl", "migrate", Self.argument(path), "--to", wanted)"
    case .older(let path, nil, _): "find the nearest version: \(run: "modelctl", "status", Self.argument(path))"
    case .replaced, .closed: "open it again"
    case .notTakenBack: "check the objects and open the store again before you save"
    case .ended: "use it only inside its closure"
    case .nested: "use the transaction that the closure received, or continue after the closure ends"
    case .elsewhere: "use it inside its closure, and pass on the objects"
    case .mirrored: "allow the change, in Swift with OpeningOptions.writesMirrored: \(option: "--allow-cloudkit")"
    case .untyped(_, let entity, let attribute):
      "allow the loss: \(option: "--allow-data-loss", ([entity] + attribute).joined(separator: "."))"
    case .unknownVersion, .missing: nil
    }
  }

  /// A path that no program takes for an option.
  private static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }
}
