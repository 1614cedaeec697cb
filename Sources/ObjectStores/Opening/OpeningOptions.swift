public import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
public import PersistentStores
public import StoreMigration
public import StoreRows

/// What opening a store may do.
public struct OpeningOptions: Sendable {
  /// What becomes of a store of an older version.
  public enum Migration: Hashable, Sendable {
    /// It is migrated; data that would be lost needs consent in the request.
    case migrate
    /// It is refused.
    case refuse
    /// It is migrated to the version of this name, whose model the objects then have, and may lose what is named as in
    /// `Entity.property`.
    case to(String, allowingLossOf: Set<String> = [])
  }

  /// What becomes of a store of an older version.
  public var migration = Migration.migrate
  /// True to make a store where none is.
  public var createsMissing = true
  /// The kinds of stores besides SQLite: the content of a file that is there shows its kind.
  public var kinds = StoreKinds.builtIn
  /// The kind of a store that is made where none is; nil for SQLite.
  public var kindOfMissing: (any StoreKind)?
  /// True to write to a store that CloudKit mirrors, whose app may or may not send what is written here.
  public var writesMirrored = false
  /// Who saves, for persistent history.
  public var author = RecordWriting.Author()
  /// How many seconds to wait for another process, one that migrates the store among them.
  public var busyTimeout = 5.0
  /// True for readers beside the writer where a store has a write-ahead log, for which something is written into it.
  ///
  /// False where one connection is enough, and what changes no object is to change no byte.
  package var readsBesideWriter = true
  /// True to keep others from writing a store of another kind than SQLite from its reading on, for one save.
  package var takesTurn = false
  /// Asked while a store of such a kind waits for others and while it is read; true gives up.
  package var interruption: (@Sendable () -> Bool)?
  /// What makes and removes files of external data.
  package var files: any FileOperations = SystemFiles()
  /// Names the next file of external data.
  package var externalName: @Sendable () -> String = { UUID().uuidString }
  /// Called with how far a migration is.
  public var progress: (@Sendable (MigrationProgress) -> Void)?

  /// Migrates, and makes what is missing.
  public init() {}
}

/// What opening a store did.
public enum StoreOpening: Hashable, Sendable {
  /// There was none, and it was made.
  case created
  /// It was of the wanted version.
  case opened
  /// It was migrated.
  case migrated(from: String, to: String, backup: String?)
}

/// Why a store cannot be opened or used.
public enum ObjectStoreError: Error, Hashable, Sendable {
  /// No version has the name that was asked for.
  case unknownVersion(String, known: [String])
  /// The store does not say what its model is, as one that was not made by Core Data or modelctl.
  case noModel(path: String)
  /// There is no store, and none is to be made.
  case missing(path: String)
  /// The store is of an older version, and is not to be migrated.
  case older(path: String, version: String?, wanted: String)
  /// The store is of a version that comes after the one it is to be opened with.
  case newer(path: String, version: String, wanted: String)
  /// Somebody replaced or migrated the store while it was open.
  case replaced(path: String)
  /// A save failed after its change was in the file, from which it could not be taken back.
  case notTakenBack(path: String, failure: CaughtError, obstacle: CaughtError)
  /// A transaction was used after its end.
  case ended
  /// A save began within a save, or in a store without a write-ahead log within a reading, or a store was closed within
  /// either.
  case nested(path: String)
  /// A reading or a transaction was used on another thread or queue than that of its closure.
  case elsewhere
  /// The store was used after it was closed.
  case closed(path: String)
  /// CloudKit mirrors the store.
  case mirrored(path: String)
  /// A migration would lose values of an attribute without a type, or of such an element of a composite one.
  case untyped(path: String, entity: String, attribute: [String])

  /// Why a store of another version is not opened, by the order of the versions.
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

extension ObjectStoreError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .unknownVersion(let name, let known): "there is no version \(name); there are \(known.joined(separator: ", "))"
    case .noModel(let path): "\(path): the store holds no model of its own; name the model that wrote it"
    case .missing(let path): "\(path): there is no store"
    case .newer(let path, let version, let wanted):
      "\(path): the store is of version \(version), which comes after \(wanted); open it with \(version) or a later version"
    case .older(let path, let version?, let wanted):
      "\(path): the store is of version \(version), not \(wanted); migrate it with: "
        + "modelctl migrate \(ShellWord(path: path).text) --to \(ShellWord(wanted).text)"
    case .older(let path, nil, let wanted):
      "\(path): the store is of none of the versions known here, and not of \(wanted); see which one is near with: "
        + "modelctl status \(ShellWord(path: path).text)"
    case .replaced(let path):
      "\(path): another program has written it, migrated it or put another store there; open it again"
    case .notTakenBack(let path, let failure, let obstacle):
      "\(path): the save failed, but the file has its change, which could not be taken back; look at the objects and open "
        + "the store again before you save. Why the save failed: \(failure). Why the change stays: \(obstacle)"
    case .ended: "the transaction has ended; use it only inside its closure"
    case .nested(let path):
      "\(path): a save or the store's closing was asked for within a reading or a save that it would wait for; use the "
        + "transaction that the closure was given, or go on after the closure's end"
    case .elsewhere:
      "a reading and a transaction belong to the thread that runs their closure; use them there and hand on the objects"
    case .closed(let path): "\(path): the store was closed; open it again"
    case .mirrored(let path):
      "\(path): CloudKit mirrors this store, and its app may not send what is written here; to write all the same: "
        + "--mirrored, in a program OpeningOptions.writesMirrored"
    case .untyped(let path, let entity, let attribute):
      "\(path): \(entity) has values of \(attribute.joined(separator: ".")), which has no type, "
        + "and this migration would lose them; to lose them: "
        + LossConsent.option(([entity] + attribute).joined(separator: "."))
    }
  }
}
