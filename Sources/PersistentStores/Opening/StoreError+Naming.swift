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
    case .metadata(_, let error): .metadata(path: path, error: error)
    case .unreadable: .unreadable(path: path)
    case .readOnly: .readOnly(path: path)
    case .readOnlyFolder: .readOnlyFolder(path: path)
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
