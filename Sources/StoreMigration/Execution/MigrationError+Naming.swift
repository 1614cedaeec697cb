extension MigrationError {
  /// The same about another file: the one that people know a store by.
  package func naming(_ path: String) -> MigrationError {
    switch self {
    case .unknownVersion: .unknownVersion(path: path)
    case .lacksConfiguration(_, let missing): .lacksConfiguration(path: path, missing)
    case .verificationFailed(_, let findings): .verificationFailed(path: path, findings: findings)
    case .notEnoughSpace(_, let needed, let free): .notEnoughSpace(path: path, needed: needed, free: free)
    case .expressionFailed: self
    case .unreachable(_, let detail): .unreachable(path: path, detail: detail)
    case .file(_, let detail): .file(path: path, detail: detail)
    }
  }
}
