public import ModelDescription

/// The reason why objects are not dumped; no file is left behind.
public enum DumpError: AdvisedError, Hashable {
  /// The model does not have the entity.
  case unknownEntity(String, near: [String])
  /// All given entities are abstract.
  case nothingToDump([String])
  /// A predicate applies to one entity, but several were given.
  case severalEntities(Int)
  /// A part of a store has links to objects outside the part, which foreign keys do not allow.
  case partInSQL(path: String, entities: [String], predicate: String?)
  /// There are several files to write, but only one output.
  case severalFiles([String])
  /// The entity's name is not a valid file name.
  case unusableName(entity: String)
  /// The output path already exists.
  case exists(path: String)
  /// The store was changed after a part of it was dumped.
  case changedMeanwhile(path: String)
  /// A text has a character that PostgreSQL does not accept.
  case nul(object: String, property: String)
  /// A file of external data that a value refers to is missing.
  case fileMissing(path: String)

  /// The store, the file, the entities or the object.
  public var place: String? {
    switch self {
    case .nothingToDump(let names): names.joined(separator: ", ")
    case .partInSQL(let path, _, _), .exists(let path), .changedMeanwhile(let path), .fileMissing(let path): path
    case .nul(let object, _): object
    case .unknownEntity, .severalEntities, .severalFiles, .unusableName: nil
    }
  }

  /// The cause.
  public var cause: String {
    switch self {
    case .unknownEntity(let name, let near): CommonWords.unknown("entity", name, in: "the model", near: near)
    case .nothingToDump: "an abstract entity without subentities has no objects"
    case .severalEntities(let count): "a predicate applies to one entity, not to \(count)"
    case .partInSQL:
      "a part of a store has links to objects that are not in the part, and foreign keys do not allow such links"
    case .severalFiles: "CSV has one file for each entity, and standard output is a single file"
    case .unusableName(let entity): "“\(entity)” is not a valid file name"
    case .exists: CommonWords.exists
    case .changedMeanwhile: "another process changed the store after a part of it was dumped"
    case .nul(_, let property): "\(property) has a NUL character, which PostgreSQL does not accept"
    case .fileMissing: "\(CommonWords.missingFile), and a value is stored in it"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .unknownEntity(_, let near): near.isEmpty ? "list the entities: \(run: "modelctl", "show")" : nil
    case .nothingToDump: "name another entity"
    case .severalEntities: "name one entity: \(option: "--entity", "NAME")"
    case .partInSQL(let path, let entities, let predicate):
      """
      make a store of the part and of the objects that it needs first: \(Advice.Command(
        ["modelctl", "extract", ShellWord.argument(path), "--entity", entities.first ?? "NAME"]
          + (predicate.map { ["--where", $0] } ?? []) + ["--output", "part.sqlite"]))
      """
    case .severalFiles(let names):
      """
      write the files into a folder: \(option: "--output", "FOLDER"); or dump one entity: \(option: "--entity",
        names.first ?? "NAME")
      """
    case .unusableName: "dump the store as JSON: \(option: "--format", "json")"
    case .exists: "choose another path, or move the existing file away"
    case .changedMeanwhile:
      "run the command again, or write to a file, which starts again by itself: \(option: "--output", "FILE")"
    case .nul:
      """
      remove the character from the text: \(run: "modelctl", "update", "--help"); \
      or choose another format: \(option: "--format", "json")
      """
    case .fileMissing:
      """
      copy the hidden folder from the original location of the store, or leave such values empty: \
      \(option: "--skip-missing-files")
      """
    }
  }
}
