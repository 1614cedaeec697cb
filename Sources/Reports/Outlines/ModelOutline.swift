import Foundation
import ModelComparison
public import ModelDescription

/// An accessible text: a title, one fact per line, then its parts in the same form.
///
/// It does not use position, signs or colour for meaning, so that it can be read aloud. Text, HTML and Markdown are
/// made from this value.
public struct Outline: Hashable, Sendable {
  /// The title, without a full stop.
  public var title: String
  /// The facts, without full stops.
  public var facts: [String]
  /// The advice after the facts.
  public var advice: Advice?
  /// Its parts.
  public var parts: [Outline]

  /// Creates a text or a part of one.
  public init(_ title: String, facts: [String] = [], advice: Advice? = nil, parts: [Outline] = []) {
    (self.title, self.facts, self.advice, self.parts) = (title, facts, advice, parts)
  }

  /// The text in lines that end in full stops, because voices pause there.
  ///
  /// A command is on a line of its own without a full stop, so that you can copy it.
  /// Each part follows a blank line, and the lines of deeper parts are indented. Both are only for sighted readers.
  public var text: String {
    let lines = ([title] + facts).map(Self.sentence) + adviceLines + parts.flatMap { [""] + $0.lines(indent: "") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(indent: String) -> [String] {
    let inner = indent + "  "
    return [indent + Self.sentence(title)] + (facts.map(Self.sentence) + adviceLines).map { inner + $0 }
      + parts.flatMap { $0.lines(indent: inner) }
  }

  private var adviceLines: [String] {
    (advice?.lines ?? []).map { line in
      if line.endsInCommand { return PrintableText.line(line.text) }
      let words = SpokenText.of(line.text)
      return words.hasSuffix(":") ? PrintableText.line(words) : Self.sentence(words)
    }
  }

  /// A line that ends in a full stop, unless it has another final sign; line breaks in it are escaped.
  private static func sentence(_ text: String) -> String {
    let line = PrintableText.line(text)
    return [".", "?", "!"].contains(line.last) ? line : line + "."
  }
}

/// A model as accessible text: one part per entity, with one part per property.
///
/// Settings of the editor are left out: the diagram, scalars in generated code, and whether elements synchronise.
struct ModelOutline {
  private let model: ManagedObjectModel
  private let name: String
  private let entityCount: Int
  private let isComplete: Bool

  /// Creates an outline of a model.
  ///
  /// - Parameters:
  ///   - model: the model, or a part of it.
  ///   - isComplete: whether to include code generation, default class names and names of fetch requests.
  init(_ model: ManagedObjectModel, name: String, entityCount: Int, isComplete: Bool = false) {
    (self.model, self.name, self.entityCount, self.isComplete) = (model, name, entityCount, isComplete)
  }

  var outline: Outline {
    var outline = Outline(title, facts: model.versionIdentifiers.sorted().map { "version identifier \($0)" })
    outline.parts = entities.map { Outline($0, isComplete: isComplete) }
    for composite in model.composites.sorted(by: { $0.name < $1.name }) {
      let elements = composite.elements.sorted { $0.name < $1.name }.map { Outline($0, kind: "element") }
      outline.parts.append(Outline("composite type \(composite.name)", parts: elements))
    }
    for request in model.fetchRequests.sorted(by: { $0.name < $1.name }) {
      outline.parts.append(Outline("fetch request \(request.name)", facts: PropertyFacts.of(request)))
    }
    for configuration in model.configurations.sorted(by: { $0.name < $1.name }) {
      let count = Quantity.text(configuration.entityNames.count, "entity", "entities")
      outline.parts.append(
        Outline(
          "configuration \(configuration.name), \(count)",
          facts: configuration.entityNames.sorted().map { "entity \($0)" }))
    }
    return outline
  }

  var briefOutline: Outline { Outline(title, facts: entities.map(Self.brief)) }

  private var entities: [EntityDescription] { model.entities.sorted { $0.name < $1.name } }

  private var title: String {
    let all = Quantity.text(entityCount, "entity", "entities")
    return "\(name): " + (model.entities.count == entityCount ? all : "\(model.entities.count) of \(all)")
  }

  private static func brief(_ entity: EntityDescription) -> String {
    let counts = [
      (entity.attributes.count, "attribute", "attributes"),
      (entity.relationships.count, "relationship", "relationships"),
      (entity.fetchedProperties.count, "fetched property", "fetched properties"),
    ]
    return ([title(entity)] + counts.filter { $0.0 > 0 }.map { Quantity.text($0.0, $0.1, $0.2) })
      .joined(separator: ", ")
  }

  fileprivate static func title(_ entity: EntityDescription) -> String {
    var parts = ["entity \(entity.name)"]
    if let parent = entity.superentityName { parts.append("inherits from \(parent)") }
    if entity.isAbstract { parts.append("abstract") }
    return parts.joined(separator: ", ")
  }
}

extension AttributeDescription {
  /// The elements of a composite attribute without a composite type, by name; a model in a store has no such types.
  var ownElements: [AttributeDescription] { compositeName == nil ? elements.sorted { $0.name < $1.name } : [] }
}

extension Outline {
  /// An entity: its own facts, then its attributes, relationships and fetched properties by name, then how it is kept.
  fileprivate init(_ entity: EntityDescription, isComplete: Bool) {
    self.init(ModelOutline.title(entity))
    if let name = entity.className, isComplete || (!name.isEmpty && name != entity.name) {
      facts.append(name.hasPrefix(".") ? "class \(name.dropFirst()) of the current module" : "class \(name)")
    }
    if isComplete, let generation = entity.codeGeneration { facts.append("code generation \(generation)") }
    facts += PropertyFacts.identity(entity.renamingIdentifier, entity.versionHashModifier, entity.userInfo)
    parts += entity.attributes.sorted { $0.name < $1.name }.map { Outline($0, kind: "attribute") }
    parts += entity.relationships.sorted { $0.name < $1.name }.map(Outline.init(_:))
    parts += entity.fetchedProperties.sorted { $0.name < $1.name }.map { Outline($0, isComplete: isComplete) }
    parts += Self.groups(entity.uniquenessConstraints, lead: "unique by")
    parts += entity.fetchIndexes.sorted { $0.name < $1.name }.map(Outline.init(_:))
    parts += Self.groups(entity.compoundIndexes, lead: "compound index on")
  }

  private static func groups(_ groups: [[String]], lead: String) -> [Outline] {
    groups.map { "\(lead) \($0.joined(separator: ", "))" }.sorted().map { Outline($0) }
  }

  fileprivate init(_ attribute: AttributeDescription, kind: String) {
    let type = attribute.compositeName.map { "composite \($0)" } ?? attribute.type.name
    let stored = attribute.isTransient ? ", transient" : ""
    self.init(
      "\(kind) \(attribute.name), \(type), \(attribute.isOptional ? "optional" : "required")\(stored)",
      facts: PropertyFacts.of(attribute))
    parts = attribute.ownElements.map { Outline($0, kind: "element") }
  }

  fileprivate init(_ relationship: RelationshipDescription) {
    let number = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
    let destination = relationship.destinationEntityName ?? "nothing"
    let stored = relationship.isTransient ? ", transient" : ""
    let presence = relationship.isOptional ? "optional" : "required"
    self.init(
      "relationship \(relationship.name), \(number) \(destination), \(presence)\(stored)",
      facts: PropertyFacts.of(relationship))
  }

  fileprivate init(_ property: FetchedPropertyDescription, isComplete: Bool) {
    var facts = property.fetchRequest.map(PropertyFacts.of) ?? []
    if isComplete, let request = property.fetchRequest { facts.append("fetch request \(request.name)") }
    self.init(
      "fetched property \(property.name)\(property.isOptional ? ", optional" : "")",
      facts: facts + PropertyFacts.identity(nil, nil, property.userInfo))
  }

  fileprivate init(_ index: FetchIndexDescription) {
    let elements = index.elements.map { element in
      let subject =
        switch element.subject {
        case .property(let name): name
        case .expression(let text): "expression \(SpokenText.quoted(text))"
        }
      return "by \(subject), \(element.isAscending ? "ascending" : "descending")"
        + (element.kind == .rTree ? ", as R-tree" : "")
    }
    let condition = index.partialIndexPredicate.map { ["only rows where \(SpokenText.quoted($0))"] } ?? []
    self.init("index \(index.name)", facts: elements + condition)
  }
}

/// The facts of a property in addition to its name, its type and whether it is optional.
enum PropertyFacts {
  static func of(_ attribute: AttributeDescription) -> [String] {
    var facts: [String] = []
    if let value = attribute.defaultValue { facts.append("default \(words(value))") }
    let bound = attribute.type == .string ? " length" : ""
    if let minimum = attribute.validation.minimum { facts.append("minimum\(bound) \(words(minimum))") }
    if let maximum = attribute.validation.maximum { facts.append("maximum\(bound) \(words(maximum))") }
    if let expression = attribute.validation.regularExpression {
      facts.append("matches \(SpokenText.quoted(expression))")
    }
    if let derivation = attribute.derivation {
      facts.append("derived from \(SpokenText.quoted(derivation.expression))")
      if let filter = derivation.filterPredicate { facts.append("derived where \(SpokenText.quoted(filter))") }
    }
    if attribute.allowsExternalBinaryDataStorage { facts.append("allows external storage") }
    if attribute.preservesValueInHistoryOnDeletion { facts.append("preserved after deletion") }
    if attribute.allowsCloudEncryption { facts.append("allows cloud encryption") }
    if attribute.isIndexed { facts.append("indexed") }
    if attribute.isIndexedBySpotlight { facts.append("indexed by Spotlight") }
    if let name = attribute.valueTransformerName { facts.append("value transformer \(name)") }
    if let name = attribute.valueClassName { facts.append("value class \(name)") }
    return facts + identity(attribute.renamingIdentifier, attribute.versionHashModifier, attribute.userInfo)
  }

  static func of(_ relationship: RelationshipDescription) -> [String] {
    var facts: [String] = []
    if let inverse = relationship.inverseName {
      let entity = relationship.inverseEntityName.flatMap { $0 == relationship.destinationEntityName ? nil : $0 }
      facts.append("inverse \(inverse)\(entity.map { " of \($0)" } ?? "")")
    } else {
      facts.append("no inverse")
    }
    facts.append("delete rule \(relationship.deleteRule.name)")
    // Also of a to-one relationship: files write it or leave it out, and the hash tells the two apart.
    if relationship.minCount > 0 { facts.append("at least \(relationship.minCount)") }
    if relationship.maxCount > 1 { facts.append("at most \(relationship.maxCount)") }
    if relationship.isIndexed { facts.append("indexed") }
    return facts
      + identity(relationship.renamingIdentifier, relationship.versionHashModifier, relationship.userInfo)
  }

  static func of(_ request: FetchRequestDescription) -> [String] {
    ["fetches \(request.entityName)"]
      + (request.predicate.map { ["where \(SpokenText.quoted($0))"] } ?? [])
      + request.settings.sorted { $0.key < $1.key }.map { "\($0.key.wordsOfName) \($0.value)" }
  }

  /// The identifiers that pair an element with its earlier versions, and its user info.
  static func identity(_ renaming: String?, _ modifier: String?, _ userInfo: [String: String]) -> [String] {
    (renaming.map { ["renaming identifier \($0)"] } ?? [])
      + (modifier.map { ["version hash modifier \($0)"] } ?? [])
      + userInfo.sorted { $0.key < $1.key }.map { "user info \($0.key): \(SpokenText.quoted($0.value))" }
  }

  static func words(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let number): String(number)
    case .decimal(let number): number.description
    case .double(let number): String(number)
    case .string(let text): SpokenText.quoted(text)
    case .uri(let text): text
    case .boolean(let flag): flag ? "yes" : "no"
    case .date(let seconds): DateText.of(seconds)
    case .binary(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    }
  }
}
