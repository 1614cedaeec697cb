public import PersistentStores

/// One way in which the result of a migration is not what its plan says.
public enum ResultFinding: Hashable, Sendable {
  case layout(LayoutDifference)
  /// The metadata does not have the hashes of this version.
  case versionHashes(of: String)
  /// An entity has more or fewer rows than planned.
  case rowCount(entity: String, Int, expected: Int)
  /// Rows have problems of a kind that they did not have before.
  case newProblems(StoreFinding.Kind, count: Int)
  case rows(StoreFinding)
  /// What SQLite answers when it is asked about the pages.
  case pages(String)
}

extension ResultFinding: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .layout(let difference): difference.description
    case .versionHashes(let version): "the metadata does not have the hashes of \(version)"
    case .rowCount(let entity, let count, let expected): "\(entity) has \(count) rows where \(expected) are expected"
    case .newProblems(let kind, let count): "\(count) new problems of the kind \(kind.rawValue)"
    case .rows(let finding): finding.description
    case .pages(let answer): answer
    }
  }
}
