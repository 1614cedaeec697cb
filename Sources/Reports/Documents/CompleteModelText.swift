public import ModelDescription

/// Everything a model says, one line a thing, for comparing two states of it line by line.
///
/// It has no name in it, and nothing that depends on the order of the file. Left out is what only the editor uses: the
/// diagram, whether elements synchronise, and whether code gets scalar types.
public struct CompleteModelText: Hashable, Sendable {
  /// The text.
  public let text: String

  /// Describes a model.
  public init(_ model: ManagedObjectModel) {
    var lines = [Quantity.text(model.entities.count, "entity", "entities")]
    lines += model.versionIdentifiers.sorted().map { "version identifier \($0)" }
    for entity in model.entities.sorted(by: { $0.name < $1.name }) { lines += [""] + Self.lines(entity) }
    for composite in model.composites.sorted(by: { $0.name < $1.name }) {
      lines += ["", "composite \(composite.name)"]
      lines += composite.elements.sorted { $0.name < $1.name }.flatMap(Self.lines)
    }
    let requests = model.fetchRequests.sorted { $0.name < $1.name }.map { "fetch request \($0.name)\(Self.words($0))" }
    let configurations = model.configurations.sorted { $0.name < $1.name }
      .map { "configuration \($0.name): \($0.entityNames.sorted().joined(separator: ", "))" }
    if !requests.isEmpty { lines += [""] + requests }
    if !configurations.isEmpty { lines += [""] + configurations }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ entity: EntityDescription) -> [String] {
    var head = Self.line(entity)
    if let name = entity.className { head += ", class \(name)" }
    if let generation = entity.codeGeneration { head += ", code generation \(generation)" }
    var lines = [head]
    lines += entity.attributes.sorted { $0.name < $1.name }.flatMap(Self.lines)
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
      var line = "  \(Self.line(relationship))"
      if let entity = relationship.inverseEntityName, entity != relationship.destinationEntityName {
        line += ", inverse entity \(entity)"
      }
      if relationship.isIndexed { line += ", indexed" }
      if relationship.minCount == 1, !relationship.isToMany { line += ", at least 1" }
      lines += [line] + info(relationship.userInfo)
    }
    for property in entity.fetchedProperties.sorted(by: { $0.name < $1.name }) {
      let request = property.fetchRequest.map { " \($0.name)\(words($0))" } ?? ""
      lines += ["  fetched property \(property.name)\(property.isOptional ? ", optional" : "")\(request)"]
      lines += info(property.userInfo)
    }
    lines += entity.uniquenessConstraints.map { "  unique by \($0.joined(separator: ", "))" }.sorted()
    lines += entity.compoundIndexes.map { "  compound index on \($0.joined(separator: ", "))" }.sorted()
    lines += entity.fetchIndexes.sorted { $0.name < $1.name }.map(line)
    return lines + info(entity.userInfo, indent: "  ")
  }

  private static func lines(_ attribute: AttributeDescription) -> [String] {
    var parts = [Self.line(attribute)]
    if attribute.compositeName != nil { parts.append(attribute.type.name) }
    if let minimum = attribute.validation.minimum { parts.append("at least \(Self.words(minimum))") }
    if let maximum = attribute.validation.maximum { parts.append("at most \(Self.words(maximum))") }
    if let expression = attribute.validation.regularExpression { parts.append("matches \(expression)") }
    if attribute.isIndexed { parts.append("indexed") }
    if attribute.isIndexedBySpotlight { parts.append("indexed by Spotlight") }
    if let name = attribute.valueTransformerName { parts.append("transformer \(name)") }
    if let name = attribute.valueClassName { parts.append("class \(name)") }
    return ["  \(parts.joined(separator: ", "))"] + info(attribute.userInfo)
  }

  private static func line(_ index: FetchIndexDescription) -> String {
    let elements = index.elements.map { element in
      let subject =
        switch element.subject {
        case .property(let name): name
        case .expression(let text): "expression \(text)"
        }
      return subject + (element.isAscending ? "" : " descending") + (element.kind == .rTree ? " as R-tree" : "")
    }
    let condition = index.partialIndexPredicate.map { ", where \($0)" } ?? ""
    return "  index \(index.name) on \(elements.joined(separator: ", "))\(condition)"
  }

  private static func words(_ request: FetchRequestDescription) -> String {
    let settings = request.settings.sorted { $0.key < $1.key }.map { ", \($0.key) \($0.value)" }.joined()
    return ": \(request.entityName)" + (request.predicate.map { ", where \($0)" } ?? "") + settings
  }

  private static func info(_ entries: [String: String], indent: String = "    ") -> [String] {
    entries.sorted { $0.key < $1.key }.map { "\(indent)user info \($0.key): \($0.value)" }
  }
}
