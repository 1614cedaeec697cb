import Foundation
import GRDB
public import ModelDescription
import ModelFiles

/// An error if a store cannot be created; nothing of the store is left.
public enum StoreCreationError: Error, Hashable, Sendable {
  /// The store, a log or journal of an earlier store, or its folder of external data already exists.
  case exists(path: String)
  /// The path of the store is empty.
  case unnamed
  /// The folder for the store does not exist.
  case folder(path: String)
  /// The path of the store's folder leads to a file.
  case notAFolder(path: String)
  /// The folder for the store is not writable.
  case readOnlyFolder(path: String)
  /// Another process is creating the same store, or the system does not show whether it is.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - folder: the folder in which it is prepared.
  case beingMade(path: String, folder: String)
  /// The folder in which the store would be prepared belongs to a different user or is open to other users.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - folder: the folder in which it would be prepared.
  case foreignFolder(path: String, folder: String)
  /// The process runs as the superuser, and the owner of the folder could redirect its files with links.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - owner: the user's name, or `#` and the number.
  case folderOfAnotherUser(path: String, owner: String)
  /// The values that an attribute's type and validation allow are fewer than the rows.
  case tooFewValues(entity: String, constraint: [String], values: Int, rows: Int)
  /// Two entities or relationships need tables of the same name, or need the name of one of Core Data's tables.
  case tableTaken(name: String, owner: String, other: String)
  case interrupted(path: String)
  /// SQLite or the file system failed.
  case failed(path: String, error: WritingError)

  /// The cause of a failure while a store is created.
  public enum WritingError: Error, Hashable, Sendable {
    /// The written data cannot be flushed to the disk.
    ///
    /// - Parameter code: the system's error number.
    case flush(code: Int32)
    case other(CaughtError)
  }
}

extension StoreCreationError {
  /// Translates an error of the file system for the store at a path.
  init(_ error: FileError, making path: String) {
    self =
      switch error.code {
      case ENOENT: .folder(path: path)
      case ENOTDIR: .notAFolder(path: path)
      case EACCES, EPERM, EROFS: .readOnlyFolder(path: path)
      default: .failed(path: path, error: .other(CaughtError(POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO))))
      }
  }
}

extension StoreCreationError.WritingError {
  fileprivate var clause: String {
    switch self {
    case .flush(let code): "the disk reported an error: \(String(cString: strerror(code)))"
    case .other(let caught):
      (caught.error as? DatabaseError).map { $0.message ?? "\($0)" } ?? CommonWords.cause(of: caught.error)
    }
  }
}

extension StoreCreationError: AdvisedError {
  /// The path of the store; nil if it is empty or the model is the cause.
  public var place: String? {
    switch self {
    case .exists(let path), .folder(let path), .notAFolder(let path), .readOnlyFolder(let path),
      .beingMade(let path, _), .foreignFolder(let path, _), .folderOfAnotherUser(let path, _), .interrupted(let path),
      .failed(let path, _):
      path
    case .unnamed, .tooFewValues, .tableTaken: nil
    }
  }

  /// The cause as a sentence without the path.
  public var cause: String {
    switch self {
    case .exists: CommonWords.exists
    case .unnamed: "the path of the store is empty"
    case .folder: "the folder does not exist"
    case .notAFolder: "the path of its folder leads to a file"
    case .readOnlyFolder: "the folder is not writable"
    case .beingMade: "another process is creating this store"
    case .foreignFolder(_, let folder):
      "the store was not created: \(folder), where it is prepared, belongs to another user or is open to other users"
    case .folderOfAnotherUser(_, let owner): "the store was not created: \(FolderOwnership.refusal(owner: owner))"
    case .tooFewValues(let entity, let constraint, let values, let rows):
      "\(entity) can have only \(values) rows with different \(constraint.joined(separator: ", ")), not \(rows)"
    case .tableTaken(let name, let owner, let other): "\(owner) needs the table \(name), but \(other) already uses it"
    case .interrupted: "interrupted; the store was not created"
    case .failed(_, let error): "the store was not created: \(error.clause)"
    }
  }

  /// The next step to try; nil if the cause implies it.
  public var advice: Advice? {
    switch self {
    case .exists: "choose another path, or move the existing file away"
    case .unnamed: "give the path of the new store"
    case .folder(let path): "create the folder: \(run: "mkdir", "-p", Self.folder(of: path))"
    case .notAFolder: "choose another path"
    case .readOnlyFolder(let path):
      "choose another folder, or make this folder writable: \(run: "chmod", "u+w", Self.folder(of: path))"
    case .beingMade(_, let folder):
      """
      wait until the store exists, or remove the leftovers if no process is creating it: \
      \(run: "rm", "-r", Self.argument(folder))
      """
    case .foreignFolder(_, let folder):
      "choose another path, or remove the folder: \(run: "rm", "-r", Self.argument(folder))"
    case .folderOfAnotherUser(_, let owner): FolderOwnership.advice(owner: owner)
    case .tooFewValues: "request fewer rows"
    case .tableTaken: "rename one of them"
    case .interrupted, .failed: nil
    }
  }

  private static func folder(of path: String) -> String {
    argument(path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
  }

  private static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }
}
