public import AtomicStores
public import ModelDescription
public import ModelFiles

/// The reason why no object was loaded.
public enum LoadError: AdvisedError, Hashable {
  /// The text is not complete, or its head is wrong.
  case structure(SourceLocation, String)
  /// The model does not have the entity of a table.
  case table(SourceLocation, StoreDocumentError.Finding)
  /// A column is not a property of its table's entity.
  case column(SourceLocation, StoreDocumentError.Finding)
  /// A folder lacks tables.
  case noTables(path: String)
  /// A folder cannot be read.
  case unreadableFolder(path: String)
  /// A JSON store is of a different version than expected.
  case otherVersion(SourceLocation, version: String?, wanted: String)
  /// The store to load into is of a newer version than the text.
  case newerStore(path: String, version: String, wanted: String)
  /// A match names an attribute that the model does not have.
  case match(LoadMatch, near: [String])
  /// A match names an attribute that cannot identify objects.
  case unfitMatch(LoadMatch, near: [String])
  /// An entity has a match already.
  case secondMatch(LoadMatch, after: LoadMatch)
  /// The first objects that cannot be loaded, and the number of further ones.
  case findings([LoadFinding], more: Int)

  /// The location in the text, the store or the folder.
  public var place: String? {
    switch self {
    case .structure(let location, _), .table(let location, _), .column(let location, _),
      .otherVersion(let location, _, _):
      location.description
    case .noTables(let path), .unreadableFolder(let path), .newerStore(let path, _, _): path
    case .match, .unfitMatch, .secondMatch, .findings: nil
    }
  }

  /// The cause; one line for each object that cannot be loaded.
  public var cause: String {
    switch self {
    case .structure(_, let cause): cause
    case .table(_, let finding), .column(_, let finding): finding.description
    case .noTables: "this folder has no tables"
    case .unreadableFolder: "the folder cannot be read"
    case .otherVersion(_, let version?, let wanted): "the store is of version \(version), not \(wanted)"
    case .otherVersion(_, nil, let wanted): "the store is not of version \(wanted), and no known version has its hashes"
    case .newerStore(_, let version, let wanted): "the store is of version \(version), which is newer than \(wanted)"
    case .match(let match, let near):
      CommonWords.unknown("attribute", "\(match.entity).\(match.attribute)", in: "the model", near: near)
    case .unfitMatch(let match, let near):
      "objects cannot be matched by \(match.entity).\(match.attribute), a derived, transient or composite attribute"
        + NearNames.clause(near)
    case .secondMatch(let match, let other):
      "objects of \(match.entity) are already matched by \(other.attribute), and cannot be matched by "
        + "\(match.attribute) too"
    case .findings(let findings, let more):
      "\(findings.map(\.description).joined(separator: "\n"))\n\(Self.end(findings.count + more, more: more))"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .structure, .column, .unfitMatch: nil
    case .table: "name the entity of the table: \(option: "--entity", "NAME")"
    case .noTables: "name the table of each entity after it, such as Order.csv"
    case .unreadableFolder: "check its permissions"
    case .otherVersion(_, let version?, _):
      "load the objects as that version, then migrate the new store: \(option: "--version", version)"
    case .otherVersion(let location, nil, _):
      "see the nearest version: \(run: "modelctl", "status", ShellWord.argument(location.file))"
    case .newerStore(_, let version, _): "load the objects as that version: \(option: "--version", version)"
    case .match(_, let near): near.isEmpty ? "write the attribute as in Customer.number" : nil
    case .secondMatch(let match, _):
      "remove one of the two: \(option: "--match", "\(match.entity).\(match.attribute)")"
    case .findings(let findings, _): Self.joined(findings.compactMap(\.advice))
    }
  }

  /// The remedies with an option, each once; the lines of the objects have the words of all.
  private static func joined(_ advice: [Advice]) -> Advice? {
    var known: Set<Advice> = []
    let advice = advice.filter { $0.text != $0.words && known.insert($0).inserted }
    return advice.dropFirst().reduce(advice.first) { joined, next in joined.map { "\($0); or \(next)" } }
  }

  private static func end(_ count: Int, more: Int) -> String {
    let more = more > 0 ? "and \(more) more; " : ""
    return "\(more)\(count == 1 ? "1 error" : "\(count) errors"), nothing was loaded"
  }
}
