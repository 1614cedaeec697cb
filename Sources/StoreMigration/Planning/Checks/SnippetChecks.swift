import MappingModels
import MigrationSQL

/// Has SQLite check the SQL of a mapping model before anything is written.
enum SnippetChecks {
  /// - Throws: ``MigrationRefusal/mapping(name:_:)`` for SQL that is not one reading expression.
  static func check(_ context: PlanningContext) throws(MigrationRefusal) {
    var snippets: [(entity: MappedEntity, property: String, sql: String, arguments: Int)] = []
    for entity in context.entities {
      for mapping in entity.mapping.attributeMappings {
        if case .sql(let sql) = mapping.value { snippets.append((entity, mapping.name, sql, 0)) }
      }
      for (name, sql) in entity.standInAttributes.sorted(by: { $0.key < $1.key }) {
        snippets.append((entity, name, sql, 0))
      }
      for (selector, sql) in (entity.policy?.standIn?.functions ?? [:]).sorted(by: { $0.key < $1.key }) {
        snippets.append((entity, selector, sql, selector.count { $0 == ":" }))
      }
    }
    guard !snippets.isEmpty else { return }
    var check: SQLSnippetCheck?
    for (entity, property, sql, arguments) in snippets {
      do {
        let tables = try check ?? SQLSnippetCheck(source: context.source)
        check = tables
        try tables.check(sql, entity: entity.source, argumentCount: arguments)
      } catch {
        throw .mapping(name: entity.mapping.name, .expression(property: property, ExpressionError(error)))
      }
    }
  }
}
