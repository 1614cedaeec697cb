public import MappingModels
public import ModelDescription
public import ModelFiles
import PersistentStores
import StoreMigration

extension Finding {
  /// Asks SQLite about every piece of SQL in a mapping model.
  ///
  /// - Parameters:
  ///   - mapping: the mapping model.
  ///   - source: the model of the stores that are migrated.
  ///   - location: where a property of an entity mapping stands, by the names of both.
  /// - Returns: one finding for each piece that is not one expression over a source row.
  /// - Throws: SQLite's error when its tables cannot be made.
  public static func snippets(
    in mapping: CustomMappingModel, from source: EntityHierarchy, location: (String, String) -> SourceLocation?
  ) throws -> [Finding] {
    let pieces = mapping.entityMappings.flatMap { entity in
      (entity.attributeMappings + entity.relationshipMappings).compactMap { property in
        if case .sql(let sql) = property.value { (entity: entity, property: property.name, sql: sql) } else { nil }
      }
    }
    guard !pieces.isEmpty else { return [] }
    let check = try SQLSnippetCheck(source: StoreModel(hierarchy: source, layout: SQLStoreLayout(of: source)))
    return pieces.compactMap { piece in
      guard let entity = piece.entity.source, source.entity(named: entity) != nil else { return nil }
      do {
        try check.check(piece.sql, entity: entity)
        return nil
      } catch {
        return Finding(
          rule: "mapping-sql", severity: .error,
          element: .property(entity: piece.entity.destination ?? entity, name: piece.property),
          location: location(piece.entity.name, piece.property), message: "\(error)",
          fix: "write one SQL expression over the source row")
      }
    }
  }
}
