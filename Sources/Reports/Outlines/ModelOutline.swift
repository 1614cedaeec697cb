import ModelDescription

/// A model as a document to read: a part an entity, in it a part a property.
///
/// Left out is what only the editor uses: the diagram, scalars in generated code, and whether elements synchronise.
struct ModelOutline {
  private let model: ManagedObjectModel
  private let name: String
  private let entityCount: Int
  private let isComplete: Bool

  /// Takes a model.
  ///
  /// - Parameters:
  ///   - model: the model, or a part of it.
  ///   - name: the model's name.
  ///   - entityCount: how many entities the whole has.
  ///   - isComplete: whether code generation, classes of the usual name and names of fetch requests are shown, too.
  init(_ model: ManagedObjectModel, name: String, entityCount: Int, isComplete: Bool = false) {
    self.model = model
    self.name = name
    self.entityCount = entityCount
    self.isComplete = isComplete
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
