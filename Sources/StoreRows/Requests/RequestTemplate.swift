import Foundation
import MappingModels
public import ModelDescription

extension RecordRequest {
  /// Creates the request of a model's fetch request template.
  ///
  /// The batch size and the setting for faults are ignored. A template that requests anything other than objects is
  /// refused.
  ///
  /// - Parameter variables: the values of the variables in its predicate.
  public init(
    template name: String, of hierarchy: EntityHierarchy, variables: [String: any PredicateArgument] = [:]
  ) throws(RecordRequestError) {
    let templates = hierarchy.model.fetchRequests
    guard let template = templates.first(where: { $0.name == name }) else {
      throw .unknownTemplate(name, near: NearNames.nearest(to: name, among: templates.map(\.name)))
    }
    var values: [String: ValueExpression] = [:]
    for (variable, argument) in variables.sorted(by: { $0.key < $1.key }) {
      guard let value = argument.predicateExpression else { throw .variable(variable, template: name) }
      values[variable] = value
    }
    try self.init(template, called: name, values)
  }

  /// Creates the request of a fetched property.
  ///
  /// - Parameter name: the property; `$FETCH_SOURCE` in its predicate is the object.
  public init(
    fetchedProperty name: String, of id: RecordID, in hierarchy: EntityHierarchy
  ) throws(RecordRequestError) {
    guard hierarchy.entity(named: id.entity) != nil else {
      let names = hierarchy.model.entities.map(\.name)
      throw .unknownEntity(id.entity, near: NearNames.nearest(to: id.entity, among: names))
    }
    let properties = hierarchy.lineage(of: id.entity).flatMap(\.fetchedProperties)
    guard let request = properties.first(where: { $0.name == name })?.fetchRequest else {
      let near = NearNames.nearest(to: name, among: properties.filter { $0.fetchRequest != nil }.map(\.name))
      throw .unknownFetchedProperty(name, entity: id.entity, near: near)
    }
    let source = Self.sourceVariable
    let isAsked = try Self.condition(request, name).map { $0.freeVariables.contains(source) } ?? false
    try self.init(
      request, called: "\(id.entity).\(name)",
      isAsked ? [source: .object(entity: id.entity, key: id.key)] : [:])
  }

  /// The variable of a fetched property's predicate for the source object.
  private static let sourceVariable = "FETCH_SOURCE"

  /// The predicate of a template; nil if it lacks a predicate.
  static func condition(
    _ template: FetchRequestDescription, _ name: String
  ) throws(RecordRequestError) -> ValueExpression? {
    guard let text = template.predicate else { return nil }
    do throws(ExpressionSyntaxError) {
      return try ValueExpression(parsing: text)
    } catch {
      throw .template(name, .syntax(error, text: text))
    }
  }

  private init(
    _ template: FetchRequestDescription, called name: String, _ values: [String: ValueExpression]
  ) throws(RecordRequestError) {
    self.init(template.entityName)
    for (key, value) in template.settings.sorted(by: { $0.key < $1.key }) { try set(key, value, name) }
    let asked = try Self.condition(template, name)?.freeVariables ?? []
    let (missing, unused) = (asked.subtracting(values.keys).sorted(), Set(values.keys).subtracting(asked).sorted())
    guard missing.isEmpty, unused.isEmpty else { throw .variables(template: name, missing: missing, unused: unused) }
    guard let text = template.predicate else { return }
    let condition = ConditionText(text, variables: values)
    do throws(ExpressionSyntaxError) {
      replace(predicate: try condition.expression(), by: condition)
    } catch {
      throw .template(name, .syntax(error, text: text))
    }
  }

  /// Applies a setting of a template, or refuses it.
  private mutating func set(_ key: String, _ value: String, _ name: String) throws(RecordRequestError) {
    switch key {
    case "fetchLimit":
      guard let limit = Int(value), limit >= 0 else { throw .templateSetting(name, key: key, value: value) }
      self.limit = limit == 0 ? nil : limit
    case "includeSubentities":
      guard let includes = ["YES": true, "NO": false][value] else {
        throw .templateSetting(name, key: key, value: value)
      }
      includesSubentities = includes
    case "resultType":
      // Objects include their identifiers; the other result types are dictionaries and counts.
      guard value == "0" || value == "1" else { throw .templateSetting(name, key: key, value: value) }
    case "fetchBatchSize", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
      "returnDistinctResults", "elementID":
      break
    default: throw .templateSetting(name, key: key, value: value)
    }
  }

  /// Creates the request of a fetch request template with values as text.
  ///
  /// A text becomes a value of the type that its variable is compared with. For example, `customer` accepts the key of
  /// an object, and a variable after `IN` accepts several values separated by commas.
  ///
  /// - Parameter texts: the values of the variables in its predicate.
  /// - Throws: ``RecordRequestError``, ``RecordAssignmentError`` for a text that is not a valid value of its type.
  public init(template name: String, of hierarchy: EntityHierarchy, texts: [String: String]) throws {
    var search = VariableSearch(hierarchy)
    if let template = hierarchy.model.fetchRequests.first(where: { $0.name == name }),
      let predicate = try Self.condition(template, name)
    {
      search.look(at: predicate, ExpressionTyping(source: hierarchy, entity: template.entityName, role: .filter))
    }
    var values: [String: any PredicateArgument] = [:]
    for (variable, text) in texts.sorted(by: { $0.key < $1.key }) {
      values[variable] = try search.uses[variable].map { try $0.value(text, for: variable) } ?? text
    }
    try self.init(template: name, of: hierarchy, variables: values)
  }
}

/// Finds the types that the variables of a predicate are compared with.
private struct VariableSearch {
  /// How a variable is used.
  struct Use {
    let type: ExpressionType
    /// True behind `IN`.
    let isList: Bool

    func value(_ text: String, for variable: String) throws(RecordAssignmentError) -> any PredicateArgument {
      guard isList else { return try member(text, variable) }
      var members: [ExpressionArgument] = []
      for part in text.split(separator: ",") {
        members.append(ExpressionArgument(try member(part.trimmingCharacters(in: .whitespaces), variable)))
      }
      return members
    }

    private func member(_ text: String, _ variable: String) throws(RecordAssignmentError) -> any PredicateArgument {
      switch type {
      case .object(let entity), .objects(let entity, _), .nested(let entity):
        guard let key = Int64(text), key > 0 else { throw .key(property: "$\(variable)", text: text) }
        return RecordID(entity: entity, key: key)
      case .value(let type), .values(let type): return try parsed(text, as: type, variable)
      case .truth: return try parsed(text, as: .boolean, variable)
      default: return text
      }
    }

    private func parsed(
      _ text: String, as type: AttributeType, _ variable: String
    ) throws(RecordAssignmentError) -> AttributeValue {
      do throws(AttributeValueParseError) {
        return try AttributeValue.parse(text, as: type)
      } catch {
        throw .value(property: "$\(variable)", error)
      }
    }
  }

  private let hierarchy: EntityHierarchy
  private(set) var uses: [String: Use] = [:]

  init(_ hierarchy: EntityHierarchy) { self.hierarchy = hierarchy }

  mutating func look(at expression: ValueExpression, _ typing: ExpressionTyping) {
    switch expression {
    case .comparison(let comparison):
      note(comparison.right, beside: comparison.left, isList: comparison.operator == .isIn, typing)
      let isSought = comparison.operator == .contains && (try? typing.type(of: comparison.right))?.isText == false
      note(comparison.left, beside: comparison.right, isList: isSought, typing)
      if case .collection(let bounds) = comparison.right {
        for bound in bounds { note(bound, beside: comparison.left, isList: false, typing) }
      }
    case .subquery(let collection, let variable, let condition):
      look(at: collection, typing)
      guard case .objects(let entity, _)? = try? typing.type(of: collection) else { return }
      var inner = typing
      inner.variables[variable] = entity
      return look(at: condition, inner)
    default: break
    }
    for part in expression.parts { look(at: part, typing) }
  }

  private mutating func note(
    _ part: ValueExpression, beside other: ValueExpression, isList: Bool, _ typing: ExpressionTyping
  ) {
    guard case .variable(let name) = part, typing.variables[name] == nil, let type = try? typing.type(of: other) else {
      return
    }
    uses[name] = Use(type: type, isList: isList)
  }
}

/// One of several values of a list.
private struct ExpressionArgument: PredicateArgument {
  let predicateExpression: ValueExpression?

  init(_ argument: any PredicateArgument) { predicateExpression = argument.predicateExpression }
}
