import ModelDescription

/// Why the objects of a store are not dumped; no file is left then.
public enum DumpError: Error, Hashable, Sendable {
  /// The model has no such entity.
  case unknownEntity(String, near: [String])
  /// Every entity that was asked for is abstract.
  case nothingToDump([String])
  /// A predicate is about one entity.
  case severalEntities(Int)
  /// A part of a store has links to what is not in it, which foreign keys do not allow.
  case partInSQL(path: String, entities: [String], predicate: String?)
  /// Several files are written, and there is one output.
  case severalFiles([String])
  /// The entity's name is no name of a file.
  case unusableName(entity: String)
  /// Something is where the dump is to be.
  case exists(path: String)
  /// The store was changed when a part of the dump was already given away.
  case changedMeanwhile(path: String)
  /// A text has a character that PostgreSQL does not take.
  case nul(object: String, property: String)
  /// A file of external data that a value names is not there.
  case fileMissing(path: String)
}

extension DumpError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .unknownEntity(let name, let near):
      "the model has no entity “\(name)”"
        + NearNames.clause(near, else: "; the names are those of: modelctl show")
    case .nothingToDump(let names):
      "\(names.joined(separator: ", ")): no object can be of an abstract entity without entities below it; name another one"
    case .severalEntities(let count): "a predicate is about one entity, not \(count); give one --entity with --where"
    case .partInSQL(let path, let entities, let predicate):
      """
      a part of a store has links to objects that are not in it, which foreign keys do not allow; make a store of the part \
      and of what it needs first: modelctl extract \(ShellWord(path: path).text) --entity \
      \(ShellWord(entities.first ?? "NAME").text)\(predicate.map { " --where \(ShellWord($0).text)" } ?? "") \
      --output part.sqlite
      """
    case .severalFiles(let names):
      """
      CSV is a file for each entity, and standard output takes one: name a folder with --output, or one entity with \
      --entity, such as \(names.first ?? "")
      """
    case .unusableName(let entity): "“\(entity)” cannot be the name of a file; dump the store as json"
    case .exists(let path): "\(path) already exists; nothing is overwritten: choose another name, or move it away first"
    case .changedMeanwhile(let path):
      """
      \(path): another program wrote into the store when a part of it was dumped already; run the command again, or with \
      --output, which begins anew by itself
      """
    case .nul(let object, let property):
      """
      \(object): \(property) has a character NUL, which PostgreSQL does not take; set a text without it (modelctl update \
      --help shows how), or dump as sqlite or json
      """
    case .fileMissing(let path):
      """
      \(path): is not there, and a value is in this file; copy the hidden folder from where the store was, or leave such \
      values empty with --skip-missing-files
      """
    }
  }
}
