package import ModelDescription
public import ModelFiles
public import PersistentStores

/// Why no plan is made for a store, whatever its rows hold.
public enum MigrationRefusal: Error, Hashable, Sendable {
  /// Tables of CloudKit mirroring refer to entity numbers that would change.
  case cloudKitTables([String])
  /// Tables that this program does not know may refer to entity numbers that would change.
  case unknownTables([String])
  /// The store's tables are not those of the model that wrote it.
  case schemaDiffers([LayoutDifference])
  /// Numbers in the entity table are taken by entities of no model.
  case foreignEntityNumbers([String])
  /// Something that is not the model's has a name that the new model needs: a column of a table, or without one a table
  /// or view.
  case nameTaken(table: String, column: String?)
  /// Several mapping models lead from one version to another and say different things.
  case severalMappings([String], from: String, to: String)
  /// A mapping model leads this way and cannot be used.
  case unusableMapping(UnusableMapping)
  /// An entity mapping of a mapping model cannot be planned; the path is that of its file, where it has one.
  case mapping(name: String, MappingRefusal, path: String? = nil)
}

extension MigrationRefusal: CustomStringConvertible {
  /// The cause and the next thing to do.
  public var description: String {
    switch self {
    case .cloudKitTables(let tables):
      """
      entity numbers would change and CloudKit mirroring refers to them (\(tables.joined(separator: ", "))); \
      let the app migrate this store, or use --force if the store is never synchronised again
      """
    case .unknownTables(let tables):
      """
      entity numbers would change and tables of an unknown kind may refer to them \
      (\(tables.joined(separator: ", "))); use --force if they do not
      """
    case .schemaDiffers(let deviations):
      """
      the store's tables are not those of the model that wrote it \
      (\(deviations.prefix(3).map { "\($0)" }.joined(separator: "; ")))
      """
    case .foreignEntityNumbers(let names):
      """
      Z_PRIMARYKEY numbers entities of no model (\(names.joined(separator: ", "))) where the new ones belong
      """
    case .nameTaken(let table, let column?):
      """
      column \(column) of table \(table) is not the model's and has the name of one that the new model needs, so its \
      values would be lost; give it another name first with ALTER TABLE \(SQLIdentifier(table).quoted) \
      RENAME COLUMN \(SQLIdentifier(column).quoted) TO …, or drop it
      """
    case .nameTaken(let table, nil):
      """
      \(table) is not the model's and has the name of a table that the new model needs; give it another name first, or \
      drop it
      """
    case .severalMappings(let paths, let source, let destination):
      """
      several mapping models lead from \(source) to \(destination): \(paths.joined(separator: ", ")); \
      name the one to use with --mapping PATH
      """
    case .unusableMapping: words.sentence
    case .mapping(let name, let refusal, let path):
      (path.map { "\($0): " } ?? "") + "entity mapping \(name): \(refusal)"
        + (path.map { "; see the place with: modelctl mapping check \(ShellWord(path: $0).text)" } ?? "")
    }
  }
}

extension MigrationRefusal {
  /// The cause, and what to do where that is known apart from it.
  package var words: ErrorWords {
    guard case .unusableMapping(let mapping) = self else { return ErrorWords(description) }
    let words = mapping.locatedWords
    let others: Advice = "to migrate without any mapping model, use --no-mappings"
    var parts = [words.advice, others].compactMap { $0 }
    if let again = mapping.writtenAgain {
      parts.insert("make the mapping again, so that the other mapping models stay in use: \(again)", at: 0)
    }
    return ErrorWords(words.cause, parts.dropFirst().reduce(parts[0]) { "\($0); \($1)" })
  }
}
