import Foundation
import ModelDescription
import ModelFiles

extension StoreError {
  /// The store the error is about, or the folder.
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

extension StoreError: CustomStringConvertible {
  /// The place, the cause and what to do next.
  public var description: String { "\(path): \(cause)\n\(advice)" }

  /// The cause in one sentence without the place.
  public var cause: String {
    switch self {
    case .missing: "there is no such file"
    case .folder: "this is a folder, not a store"
    case .notAFile: "this is neither a file nor a folder"
    case .linkToNowhere: "this is a link that leads nowhere"
    case .foreignCompanion(_, let companion):
      "\(companion) stands where SQLite keeps a file of the store and is a link or no file; it is not followed"
    case .empty(_, let logBytes):
      logBytes == 0
        ? "the file is empty"
        : "the file is empty, though its write-ahead log beside it holds \(logBytes) bytes"
    case .notSQLite(_, let content): content.sentence
    case .truncated(_, let bytes, let expected):
      "the store is truncated: it has \(bytes) bytes and its header says \(expected)"
    case .corrupt(_, let detail): "the store is corrupt: \(detail)"
    case .staleIndexes(_, let names):
      names.count == 1
        ? "the index \(names[0]) does not have the entries of its table's rows, so that what it answers is wrong"
        : "the indexes \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "") do not have the entries of "
          + "their tables' rows, so that what they answer is wrong"
    case .incomplete(_, let missing):
      "the store's tables are not those of the model that wrote it "
        + "(\(missing.prefix(3).map(\.description).joined(separator: "; "))\(missing.count > 3 ? "; …" : "")), so that a copy "
        + "would lack them"
    case .nested: "the store was used within a reading or a transaction of itself that it would wait for"
    case .closed: "the store was used after it was closed"
    case .notCoreData(_, let tables):
      tables.isEmpty
        ? "this SQLite database has no tables, so it is no Core Data store"
        : "this is an SQLite database but no Core Data store: it has no table Z_METADATA, only "
          + tables.joined(separator: ", ")
    case .metadata(_, let error): error.sentence
    case .unreadable: "the file may not be read"
    case .readOnly: "the store or its folder may not be written"
    case .readOnlyFolder: "the folder of the store may not be written, and SQLite needs files beside the store"
    case .foreignFolder(_, let owner): FolderOwnership.refusal(owner: owner)
    case .unwritableFolder: "the folder may not be written"
    case .diskFull: "the disk is full"
    case .temporaryFolderFull: "the folder for temporary files is full"
    case .heldByAnotherProcess(_, let users):
      "another process has the store open" + (users.isEmpty ? "" : ": \(users.sentence)")
    case .openElsewhere(_, let users):
      "a copy cannot take the store's place while \(users.sentence), because that would go on with the old file"
    case .changedWhileReading: "another process changed the store while it was read"
    case .interrupted: "interrupted; the store is as it was"
    case .inputOutput(_, let error): "the disk reported an error: \(error.clause)"
    case .noValue(_, let detail): detail
    case .sqlite(_, let code, let detail, let sql):
      "SQLite error \(code): \(detail)" + (sql.map { ", in: \($0)" } ?? "")
    }
  }

  /// The next thing to try.
  public var advice: String {
    let place = ShellWord(path: path).text
    let folder = ShellWord(path: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".").text
    return switch self {
    case .missing: "Check the path; `ls \(folder)` shows what is in its folder."
    case .folder: "Give the path of the store's file inside it."
    case .notAFile: "Give the path of a store's file."
    case .linkToNowhere: "See where it leads with: ls -l \(place)"
    case .foreignCompanion(_, let companion):
      "See who put it there with: ls -l \(ShellWord(path: companion).text); then remove it or move the store away."
    case .empty(_, let logBytes):
      logBytes == 0
        ? "Restore it from a backup if it had rows; otherwise remove it, and make a new store there."
        : "Restore the main file from a backup and keep the -wal file: `modelctl verify \(place)` checks the two together."
    case .notSQLite(_, .atomicStore):
      "An SQLite store is needed here; `modelctl convert \(place) \(ShellWord(path: path + ".sqlite").text)` makes one of it."
    case .notSQLite(_, .random): "Decrypt it with its own program first, for example SQLCipher's `sqlcipher_export`."
    case .notSQLite: "Give a store's .sqlite file; `modelctl show \(place)` reads model files."
    case .truncated, .corrupt:
      "Restore it from a backup, or make a new store of what can be read with: modelctl rescue \(place)"
    case .staleIndexes: "Make the indexes anew from the rows with: modelctl verify --repair \(place)"
    case .incomplete:
      "Make what never had a row with: modelctl verify --repair \(place)\n"
        + "or make a new store of what can be read with: modelctl rescue \(place)\n"
        + "or copy the objects of an entity that is whole with: modelctl extract \(place) --entity NAME --depth 0 --output NEW"
    case .nested: "Use the connection that the closure was given, or go on after the closure's end."
    case .closed: "Open it again."
    case .notCoreData: "Check the path; `sqlite3 \(place) .tables` lists what it holds."
    case .metadata:
      "Restore the store from a backup, or make a new store of what can be read with: modelctl rescue \(place)"
    case .unreadable: "Run as a user who may read it: `ls -l \(place)` shows who."
    case .readOnly: "Copy the store with its -wal file to a folder that may be written, or run `chmod u+w \(place)`."
    case .readOnlyFolder:
      "Run `chmod u+w \(folder)`, or copy the store with its -wal file to a folder that may be written."
    case .foreignFolder(_, let owner): FolderOwnership.advice(owner: owner)
    case .unwritableFolder: "Run `chmod u+w \(folder)`, or name a file in a folder that may be written."
    case .diskFull: "Free some space and run the command again; `df -h` shows where it went."
    case .temporaryFolderFull: "Set TMPDIR to a folder with more room, or free some there, and run the command again."
    case .heldByAnotherProcess(_, let users):
      "Quit the program that uses it\(users.isEmpty ? " (`lsof \(place)` names it)" : ""), or wait longer for it with "
        + "`--busy-timeout 60`, and run the command again."
    case .openElsewhere:
      "Quit that program and run the command again, or add `--in-place`, which keeps the file and is as safe."
    case .changedWhileReading, .interrupted: "Run the command again."
    case .inputOutput: "Check the disk, then copy the store with its -wal file to another one."
    case .noValue:
      "Change that part of the expression, or leave such objects out with a condition before it, as "
        + "`count != 0 AND total / count > 2` does."
    case .sqlite: "`modelctl verify \(place)` checks the store."
    }
  }
}

extension FolderOwnership {
  /// Why the superuser changes nothing in a folder of another user.
  static func refusal(owner: String) -> String {
    "the folder belongs to the user \(owner), who could put links to files of the superuser in the way"
  }

  /// How to work there all the same.
  static func advice(owner: String) -> String {
    "Run the command as that user: sudo -u \(ShellWord(path: owner).text) modelctl …"
  }
}

extension StoreError.InputOutputError {
  fileprivate var clause: String {
    switch self {
    case .sqlite(let code, let message): message.map { "\($0) (SQLite code \(code))" } ?? "SQLite code \(code)"
    case .file(let caught): caught.error.localizedDescription
    case .logStays: "the write-ahead log cannot be removed"
    case .journalStays: "the rollback journal cannot be removed"
    case .other(let caught): caught.description
    }
  }
}

extension StoreError.MetadataError {
  var sentence: String {
    switch self {
    case .table: "Z_METADATA is not the table that Core Data makes"
    case .noRow: "the store's metadata is missing: Z_METADATA has no row"
    case .noPropertyList: "the store's metadata is missing: Z_PLIST is empty"
    case .oversized(let bytes): "the store's metadata cannot be real: Z_PLIST has \(bytes) bytes"
    case .propertyList(let error): "the store's metadata is no readable property list: \(error)"
    case .root: "the store's metadata is no readable property list: its root is no dictionary"
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
    case .random: "this is no plain SQLite file; it may be an encrypted store"
    case .unknown: "this is not an SQLite file"
    }
  }
}

extension StoreError {
  /// The same about another file: the one that people know a store by.
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
    // The folder is none that people know a store by.
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
