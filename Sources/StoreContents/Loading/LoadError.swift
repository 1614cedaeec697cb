public import AtomicStores
import ModelDescription
public import ModelFiles

/// Why nothing is loaded.
public enum LoadError: Error, Hashable, Sendable {
  /// The text is not whole, or its head is wrong.
  case structure(SourceLocation, String)
  /// A table is of no entity that the model has.
  case table(SourceLocation, StoreDocumentError.Finding)
  /// A column is no property of its table's entity.
  case column(SourceLocation, StoreDocumentError.Finding)
  /// A folder has no tables.
  case noTables(path: String)
  /// A folder cannot be read.
  case unreadableFolder(path: String)
  /// A JSON store is of another version.
  case otherVersion(SourceLocation, version: String?, wanted: String)
  /// The store that is to be filled is of a version that comes after the text's.
  case newerStore(path: String, version: String, wanted: String)
  /// A match names no attribute that can be one.
  case match(LoadMatch, near: [String])
  /// A match names an attribute by which no object can be known.
  case unfitMatch(LoadMatch, near: [String])
  /// An entity has a match already.
  case secondMatch(LoadMatch, after: LoadMatch)
  /// Objects that cannot be loaded: the first ones, and how many there are more.
  case findings([LoadFinding], more: Int)
}

extension LoadError: CustomStringConvertible {
  /// The place, the cause and what to do; a line for each object that cannot be loaded.
  public var description: String {
    switch self {
    case .structure(let location, let cause): "\(location): \(cause)"
    case .table(let location, let finding): "\(location): \(finding); name the table's entity with --entity"
    case .column(let location, let finding): "\(location): \(finding)"
    case .noTables(let path): "\(path): no table is in this folder; each entity's is a file such as Order.csv"
    case .unreadableFolder(let path): "\(path): the folder cannot be read; look at its permissions"
    case .otherVersion(let location, let version?, let wanted):
      "\(location): the store is of version \(version), not \(wanted); load it with --version \(version), "
        + "then migrate what was made"
    case .otherVersion(let location, nil, let wanted):
      "\(location): no known version has the store's hashes, and \(wanted) is wanted; see the nearest one with: "
        + "modelctl status \(ShellWord(path: location.file).text)"
    case .newerStore(let path, let version, let wanted):
      "\(path): the store is of version \(version), which comes after \(wanted); load the objects as that version, with: "
        + "--version \(ShellWord(version).text)"
    case .match(let match, let near):
      "--match \(match.entity).\(match.attribute): the model has no such attribute"
        + (near.isEmpty ? "; write it as in Customer.number" : Self.hint(near))
    case .unfitMatch(let match, let near):
      "--match \(match.entity).\(match.attribute): no object is known by a derived, transient or composite attribute"
        + Self.hint(near)
    case .secondMatch(let match, let other):
      "--match \(match.entity).\(match.attribute): objects of \(match.entity) are matched by \(other.attribute) "
        + "already; leave out one of the two"
    case .findings(let findings, let more):
      "\(findings.map(\.description).joined(separator: "\n"))\n\(Self.end(findings.count + more, more: more))"
    }
  }

  private static func hint(_ near: [String]) -> String {
    NearNames.clause(near)
  }

  private static func end(_ count: Int, more: Int) -> String {
    let more = more > 0 ? "and \(more) more; " : ""
    return "\(more)\(count == 1 ? "1 problem" : "\(count) problems"), nothing was loaded"
  }
}
