import MappingModels
import MigrationSQL
import ModelComparison
import ModelDescription
import ModelFiles
import StoreMigration

/// A question to the rows of a store as one types it in a shell.
struct RowQuestion {
  private typealias Query = (entity: String, options: String, sign: String)

  /// The command; the store's path is the reader's to fill in.
  let command: String
  /// What in its output shows rows in the way, empty where all of it does.
  let sign: String

  /// Asks for the rows that do not meet a condition.
  init(_ condition: HopForecast.Condition, on step: VersionStep) {
    let found = Self.query(condition.requirement, step)
    sign = found?.sign ?? ""
    command =
      found.map { "modelctl query STORE \(ShellWord($0.entity).text)\($0.options)" }
      ?? "sqlite3 STORE \(ShellWord(condition.query.rendered).text)"
  }

  /// The source entity to ask for, and how; nil where a request cannot say it.
  private static func query(_ requirement: MappingRequirement, _ step: VersionStep) -> Query? {
    let element = requirement.element
    guard let destination = element.entityName else { return nil }
    let (entity, source) = (step.sourceName(of: destination), step.source.hierarchy)
    guard source.entity(named: entity) != nil else { return nil }
    func condition(_ text: String) -> Query? {
      let typing = ExpressionTyping(source: source, entity: entity, role: .filter)
      // A name that is a word of predicates, for one, is not read as a key.
      guard let parsed = try? ValueExpression(parsing: text), (try? typing.checkCondition(parsed)) != nil else {
        return nil
      }
      return (entity, " --where \(ShellWord(text).text)", "")
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
      return (entity, names.map { " --group \(ShellWord($0).text)" }.joined(), ", which counts more than 1")
    case .noRowsOfAbstract:
      return source.model.entities.contains { $0.superentityName == entity } ? nil : (entity, "", "")
    case .oneOwner, .fits: return nil
    }
  }
}
