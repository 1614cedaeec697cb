import MappingModels
public import ModelDescription

extension RecordRequest {
  /// Asks for what a fetch request template of a model describes.
  ///
  /// How many rows Core Data reads at once, and whether its objects are faults, means nothing here; a template that asks for
  /// anything but objects is refused.
  ///
  /// - Parameters:
  ///   - name: the template's name.
  ///   - hierarchy: the model.
  ///   - variables: what stands for each `$NAME` in its predicate.
  /// - Throws: ``RecordRequestError``.
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

  /// Asks for the objects of a fetched property.
  ///
  /// - Parameters:
  ///   - name: the property, in whose predicate `$FETCH_SOURCE` is the object.
  ///   - id: the object that has it.
  ///   - hierarchy: the model.
  /// - Throws: ``RecordRequestError``.
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

  /// The variable of a fetched property's predicate that stands for the object that has it.
  private static let sourceVariable = "FETCH_SOURCE"

  /// The predicate of a template as it stands; nil where it has none.
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

  /// Takes over a setting of a template, or refuses it.
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
      // Identifiers come with the objects; what is left are dictionaries and counts.
      guard value == "0" || value == "1" else { throw .templateSetting(name, key: key, value: value) }
    case "fetchBatchSize", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
      "returnDistinctResults", "elementID":
      break
    default: throw .templateSetting(name, key: key, value: value)
    }
  }
}
