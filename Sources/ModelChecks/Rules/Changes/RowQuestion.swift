import MappingModels
import MigrationSQL
import ModelComparison
import ModelDescription
import ModelFiles
import StoreMigration

/// A command that lists the rows of a store that block a step.
struct RowQuestion {
  private typealias Query = (entity: String, options: [String], sign: String)

  /// The program and its arguments, with `STORE` in place of the path of a store.
  let command: [String]
  /// The part of its output that shows rows in the way; empty if each line does.
  let sign: String

  /// Makes the command for the rows that do not meet a condition.
  init(_ condition: PathPartForecast.Condition, on step: VersionStep) {
    let found = Self.query(condition.requirement, step)
    sign = found?.sign ?? ""
    command =
      found.map { ["modelctl", "query", "STORE", $0.entity] + $0.options }
      ?? ["sqlite3", "STORE", condition.query.rendered]
  }

  /// The source entity and the options of the query; nil if a query cannot express the condition.
  private static func query(_ requirement: MappingRequirement, _ step: VersionStep) -> Query? {
    let element = requirement.element
    guard let destination = element.entityName else { return nil }
    let (entity, source) = (step.sourceName(of: destination), step.source.hierarchy)
    guard source.entity(named: entity) != nil else { return nil }
    func condition(_ text: String) -> Query? {
      let typing = ExpressionTyping(source: source, entity: entity, role: .filter)
      // A name that is a reserved word of predicates, for example, is not read as a key.
      guard let parsed = try? ValueExpression(parsing: text), (try? typing.checkCondition(parsed)) != nil else {
        return nil
      }
      return (entity, ["--where", text], "")
    }
    switch requirement {
    case .mandatoryAttribute(_, let path), .mandatoryRelationship(_, let path):
      guard let name = step.sourcePath(of: path, in: destination) else { return nil }
      let isToMany = source.allRelationships(of: entity)[name]?.property.isToMany ?? false
      return condition(isToMany ? "\(name).@count == 0" : "\(name) == nil")
    case .atMostOne(_, let path):
      guard let name = step.sourcePath(of: path, in: destination),
        source.allRelationships(of: entity)[name]?.property.isToMany == true
      else { return nil }
      return condition("\(name).@count > 1")
    case .unique(_, let properties):
      let names = properties.compactMap { step.sourcePath(of: $0, in: destination) }
      guard names.count == properties.count else { return nil }
      return (entity, names.flatMap { ["--group", $0] }, " (each count above 1)")
    case .noRowsOfAbstract:
      return source.model.entities.contains { $0.superentityName == entity } ? nil : (entity, [], "")
    case .oneOwner, .fits: return nil
    }
  }
}
