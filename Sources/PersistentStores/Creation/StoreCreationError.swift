import Foundation
import GRDB
import ModelDescription
import ModelFiles

/// Why a store could not be made; nothing is left of it.
public enum StoreCreationError: Error, Hashable, Sendable {
  /// Something is already there: the store, a log or journal of a former one, or its folder of external data.
  case exists(path: String)
  /// The path of the store is empty.
  case unnamed
  /// The folder for the store is not there.
  case folder(path: String)
  /// What stands in the place of the store's folder is a file.
  case notAFolder(path: String)
  /// The folder for the store may not be written.
  case readOnlyFolder(path: String)
  /// Another program is making the same store, or whether one is cannot be found out.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - folder: where it is made.
  case beingMade(path: String, folder: String)
  /// The folder in which the store would be made belongs to another user, or others may enter it.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - folder: where it would be made.
  case foreignFolder(path: String, folder: String)
  /// This is the superuser, and the folder belongs to another user, who could put links in the way.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - owner: the user's name, or `#` and the number.
  case folderOfAnotherUser(path: String, owner: String)
  /// The values that an attribute's type and validation allow are fewer than the rows.
  case tooFewValues(entity: String, constraint: [String], values: Int, rows: Int)
  /// Two entities or relationships need tables of one name, or one needs that of a table of Core Data's own.
  case tableTaken(name: String, owner: String, other: String)
  case interrupted(path: String)
  /// SQLite or the file system failed.
  case failed(path: String, error: WritingError)

  /// What making a store failed with.
  public enum WritingError: Error, Hashable, Sendable {
    /// The disk does not take what was written.
    ///
    /// - Parameter code: the system's error number.
    case flush(code: Int32)
    case other(CaughtError)
  }
}

extension StoreCreationError {
  /// Why nothing can be made beside a place.
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
    case .flush(let code): "it cannot be written to the disk: \(String(cString: strerror(code)))"
    case .other(let caught):
      (caught.error as? DatabaseError).map { $0.message ?? "\($0)" } ?? caught.error.localizedDescription
    }
  }
}

extension StoreCreationError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .exists(let path):
      "\(path) already exists; a store is never overwritten: choose another name, or move it away first"
    case .unnamed: "a store needs a name, and the path is empty"
    case .folder(let path): "\(path): the folder is not there; make it with: mkdir -p \(Self.folder(of: path))"
    case .notAFolder(let path): "\(path): a file stands in the place of the folder; choose another one"
    case .readOnlyFolder(let path):
      """
      \(path): the folder may not be written; name another one, or let it be written with: chmod u+w \
      \(Self.folder(of: path))
      """
    case .beingMade(let path, let folder):
      """
      \(path) is being made by another program; wait until it is there. Where no program makes it, remove what one left \
      with: rm -r \(ShellWord(path: folder).text)
      """
    case .foreignFolder(let path, let folder):
      """
      \(path) was not made: \(folder), in which it would be made, belongs to another user or lets others in; choose \
      another name, or remove the folder with: rm -r \(ShellWord(path: folder).text)
      """
    case .folderOfAnotherUser(let path, let owner):
      "\(path) was not made: \(FolderOwnership.refusal(owner: owner))\n\(FolderOwnership.advice(owner: owner))"
    case .tooFewValues(let entity, let constraint, let values, let rows):
      "\(entity) can have only \(values) rows with different \(constraint.joined(separator: ", ")), not \(rows); "
        + "ask for fewer rows"
    case .tableTaken(let name, let owner, let other):
      "\(owner) needs the table \(name), which is that of \(other) already; give one of them another name"
    case .interrupted(let path): "interrupted; \(path) was not made"
    case .failed(let path, let error): "\(path) was not made: \(error.clause)"
    }
  }

  /// The folder of a path, as somebody types it into a shell.
  private static func folder(of path: String) -> String {
    ShellWord(path: path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".").text
  }
}
