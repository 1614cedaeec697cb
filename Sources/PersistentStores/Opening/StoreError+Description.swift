import Foundation
public import ModelDescription
import ModelFiles

extension StoreError {
  /// The store or the folder that the error is about.
  public var path: String {
    switch self {
    case .missing(let path), .folder(let path), .notAFile(let path), .linkToNowhere(let path), .empty(let path, _),
      .notSQLite(let path, _), .truncated(let path, _, _), .corrupt(let path, _), .notCoreData(let path, _),
      .staleIndexes(let path, _), .incomplete(let path, _), .nested(let path), .closed(let path),
      .metadata(let path, _),
      .foreignCompanion(let path, _), .foreignFolder(let path, _),
      .unreadable(let path), .readOnly(let path), .readOnlyFolder(let path),
      .unwritableFolder(let path), .diskFull(let path), .temporaryFolderFull(let path),
      .heldByAnotherProcess(let path, _), .openElsewhere(let path, _), .changedWhileReading(let path),
      .interrupted(let path), .inputOutput(let path, _), .noValue(let path, _), .sqlite(let path, _, _, _):
      path
    }
  }
}

extension StoreError: AdvisedError {
  /// The path of the store or the folder.
  public var place: String? { path }

  /// The cause as a sentence without the path.
  public var cause: String {
    switch self {
    case .missing: CommonWords.missingFile
    case .folder: "this is a folder, not a store"
    case .notAFile: "this is neither a file nor a folder"
    case .linkToNowhere: "this is a link to a file that does not exist"
    case .foreignCompanion(_, let companion):
      "\(companion) has the name of a file that SQLite keeps next to the store, but is not a regular file"
    case .empty(_, let logBytes):
      logBytes == 0
        ? "the file is empty" : "the file is empty, but the write-ahead log next to it has \(logBytes) bytes"
    case .notSQLite(_, let content): content.sentence
    case .truncated(_, let bytes, let expected):
      "the store is truncated: it has \(bytes) bytes and its header says \(expected)"
    case .corrupt(_, let detail): "the store is corrupt: \(detail)"
    case .staleIndexes(_, let names):
      names.count == 1
        ? "the index \(names[0]) does not match the rows of its table, so queries return wrong results"
        : "the indexes \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "") do not match the rows of "
          + "their tables, so queries return wrong results"
    case .incomplete(_, let missing):
      "a copy would be incomplete, because the tables differ from the model that wrote the store: "
        + "\(missing.prefix(3).map(\.description).joined(separator: "; "))\(missing.count > 3 ? "; …" : "")"
    case .nested: "a closure that reads or saves used the store again, which would wait for that closure to end"
    case .closed: "the store was used after it was closed"
    case .notCoreData(_, let tables):
      tables.isEmpty
        ? "this is an SQLite database without tables, not a Core Data store"
        : "this is an SQLite database, not a Core Data store: it has no table Z_METADATA, only "
          + tables.joined(separator: ", ")
    case .metadata(_, let error): error.sentence
    case .unreadable: "the file is not readable"
    case .readOnly: "the store or its folder is not writable"
    case .readOnlyFolder: "the folder of the store is not writable, and SQLite needs to create files in it"
    case .foreignFolder(_, let owner): FolderOwnership.refusal(owner: owner)
    case .unwritableFolder: "the folder is not writable"
    case .diskFull: "the disk is full"
    case .temporaryFolderFull: "the folder for temporary files is full"
    case .heldByAnotherProcess(_, let users):
      "another process has the store open" + (users.isEmpty ? "" : ": \(users.sentence)")
    case .openElsewhere(_, let users):
      "a copy cannot replace the store while \(users.sentence), because that process would keep using the old file"
    case .changedWhileReading: "another process changed the store while it was being read"
    case .interrupted: "interrupted; the store is unchanged"
    case .inputOutput(_, let error): "the disk reported an error: \(error.clause)"
    case .noValue(_, let detail): detail
    case .sqlite(_, let code, let detail, let sql):
      "SQLite error \(code): \(detail)" + (sql.map { ", in: \($0)" } ?? "")
    }
  }

  /// The next step to try; nil if the cause implies it.
  public var advice: Advice? {
    let store = Self.argument(path)
    let folder = Self.argument(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
    return switch self {
    case .missing: nil
    case .folder: "give the path of the store's file inside it"
    case .notAFile: "give the path of a store's file"
    case .linkToNowhere: "correct the link, or give the path of the store's file"
    case .foreignCompanion: "move the store to another folder, or remove that file"
    case .empty(_, 0): "restore it from a backup if it had rows; if not, remove it and create a new store"
    case .empty:
      "keep the -wal file, restore the main file from a backup, and check both together: \(run: "modelctl", "verify", store)"
    case .notSQLite(_, .atomicStore):
      "convert it to an SQLite store: \(run: "modelctl", "convert", store, store + ".sqlite")"
    case .notSQLite(_, .random): "decrypt it first, for example with the sqlcipher_export function of SQLCipher"
    case .notSQLite(_, .swiftSource): SwiftDataSources.advice
    case .notSQLite(_, .xml), .notSQLite(_, .propertyList):
      "give the path of an SQLite store, or read the file as a model: \(run: "modelctl", "show", store)"
    case .notSQLite(_, .damagedHeader), .truncated, .corrupt, .metadata:
      "restore it from a backup, or copy the readable rows into a new store: \(run: "modelctl", "rescue", store)"
    case .notSQLite: "give the path of an SQLite store"
    case .staleIndexes: "rebuild the indexes from the rows: \(run: "modelctl", "verify", "--repair", store)"
    case .incomplete:
      """
      create the missing tables and columns that never had rows: \(run: "modelctl", "verify", "--repair", store); \
      or copy the readable rows into a new store: \(run: "modelctl", "rescue", store); \
      or copy the objects of an entity whose tables are complete: \
      \(run: "modelctl", "extract", store, "--entity", "NAME", "--depth", "0", "--output", "NEW")
      """
    case .nested: "use the connection that the closure received, or continue after the closure ends"
    case .closed: "open it again"
    case .notCoreData: "check the path, or list the tables of the database: \(run: "sqlite3", store, ".tables")"
    case .unreadable: "get permission to read it, or run as a user who has it"
    case .readOnly:
      "copy the store with its -wal file to a writable folder, or make it writable: \(run: "chmod", "u+w", store)"
    case .readOnlyFolder:
      "copy the store with its -wal file to a writable folder, or make this folder writable: \(run: "chmod", "u+w", folder)"
    case .foreignFolder(_, let owner): FolderOwnership.advice(owner: owner)
    case .unwritableFolder:
      "give the path of a file in a writable folder, or make this folder writable: \(run: "chmod", "u+w", folder)"
    case .diskFull: "free some disk space and try again"
    case .temporaryFolderFull: "set TMPDIR to a folder with more space, or free some space, and try again"
    case .heldByAnotherProcess(_, let users) where users.isEmpty:
      """
      find the process that uses the store and quit it: \(run: "lsof", store); \
      or wait longer: \(option: "--busy-timeout", "60")
      """
    case .heldByAnotherProcess: "quit that process and try again, or wait longer: \(option: "--busy-timeout", "60")"
    case .openElsewhere:
      "quit that process and try again, or change the file in place, which is as safe: \(option: "--in-place")"
    case .changedWhileReading, .interrupted: "try again"
    case .inputOutput: "check the disk, then copy the store with its -wal file to another disk"
    case .noValue:
      """
      change that part of the expression, or exclude such objects with a condition before it, such as \
      `count != 0 AND total / count > 2`
      """
    case .sqlite: "check the store: \(run: "modelctl", "verify", store)"
    }
  }

  /// A path that no program takes for an option.
  private static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }
}

extension FolderOwnership {
  /// The reason why the superuser changes nothing in a folder of a different user.
  static func refusal(owner: String) -> String {
    "the folder belongs to the user \(owner), who could redirect files of the superuser with links"
  }

  /// The advice to run as the folder's owner.
  static func advice(owner: String) -> Advice {
    "run as that user: \(command: "sudo -u \(ShellWord(path: owner).text) modelctl …")"
  }
}

extension StoreError.InputOutputError {
  fileprivate var clause: String {
    switch self {
    case .sqlite(let code, let message): message.map { "\($0) (SQLite code \(code))" } ?? "SQLite code \(code)"
    case .file(let caught): CommonWords.cause(of: caught.error)
    case .logStays: "the write-ahead log cannot be removed"
    case .journalStays: "the rollback journal cannot be removed"
    case .other(let caught): caught.description
    }
  }
}

extension StoreError.MetadataError {
  var sentence: String {
    switch self {
    case .table: "Z_METADATA is not a table with the columns that Core Data creates"
    case .noRow: "the store's metadata is missing: Z_METADATA has no row"
    case .noPropertyList: "the store's metadata is missing: Z_PLIST is empty"
    case .oversized(let bytes): "the store's metadata is too large: Z_PLIST has \(bytes) bytes"
    case .propertyList(let error): "the store's metadata is not a valid property list: \(error)"
    case .root: "the store's metadata is not a valid property list: its root is not a dictionary"
    case .noVersionHashes: "the store's metadata lacks NSStoreModelVersionHashes"
    case .hash(let entity, let bytes):
      "the version hash of entity \(entity) in the store's metadata has \(bytes) bytes instead of 32"
    case .noUUID: "the store's metadata has no Z_UUID"
    case .storeType(let type): "the file is an SQLite database, but the store's metadata says its type is \(type)"
    }
  }
}

extension ForeignContent {
  var sentence: String {
    switch self {
    case .atomicStore(let type): "this is a Core Data store of type \(type), not an SQLite store"
    case .xml: "this is an XML file, not an SQLite store"
    case .propertyList: "this is a property list, not an SQLite store"
    case .text: "this is a text file, not an SQLite store"
    case .archive: "this is a compressed archive, not an SQLite store"
    case .image: "this is an image, not an SQLite store"
    case .swiftSource: SwiftDataSources.cause
    case .damagedHeader: "the header of the SQLite file is damaged"
    case .random: "this is not a plain SQLite file; it may be an encrypted store"
    case .unknown: "this is not an SQLite file"
    }
  }
}

extension StoreError {
  /// The same error with the path of the store that you gave, in place of a temporary copy's.
  package func naming(_ path: String) -> StoreError {
    switch self {
    case .missing: .missing(path: path)
    case .folder: .folder(path: path)
    case .notAFile: .notAFile(path: path)
    case .linkToNowhere: .linkToNowhere(path: path)
    case .foreignCompanion(_, let companion): .foreignCompanion(path: path, companion: companion)
    case .empty(_, let logBytes): .empty(path: path, logBytes: logBytes)
    case .notSQLite(_, let content): .notSQLite(path: path, content: content)
    case .truncated(_, let bytes, let expected): .truncated(path: path, bytes: bytes, expected: expected)
    case .corrupt(_, let detail): .corrupt(path: path, detail: detail)
    case .notCoreData(_, let tables): .notCoreData(path: path, tables: tables)
    case .staleIndexes(_, let names): .staleIndexes(path: path, names: names)
    case .incomplete(_, let missing): .incomplete(path: path, missing: missing)
    case .nested: .nested(path: path)
    case .closed: .closed(path: path)
    case .metadata(_, let error): .metadata(path: path, error: error)
    case .unreadable: .unreadable(path: path)
    case .readOnly: .readOnly(path: path)
    case .readOnlyFolder: .readOnlyFolder(path: path)
    case .foreignFolder(_, let owner): .foreignFolder(path: path, owner: owner)
    case .unwritableFolder: .unwritableFolder(path: path)
    case .diskFull: .diskFull(path: path)
    // This path is a folder, not a store.
    case .temporaryFolderFull: self
    case .heldByAnotherProcess(_, let users): .heldByAnotherProcess(path: path, users: users)
    case .openElsewhere(_, let users): .openElsewhere(path: path, users: users)
    case .changedWhileReading: .changedWhileReading(path: path)
    case .interrupted: .interrupted(path: path)
    case .inputOutput(_, let error): .inputOutput(path: path, error: error)
    case .noValue(_, let detail): .noValue(path: path, detail: detail)
    case .sqlite(_, let code, let detail, let sql): .sqlite(path: path, code: code, detail: detail, sql: sql)
    }
  }
}
