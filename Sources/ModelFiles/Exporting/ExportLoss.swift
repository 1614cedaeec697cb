public import ModelDescription

/// Something that a model, or its file, says and an exported `contents` file does not.
public struct ExportLoss: Hashable, Sendable {
  /// What it belongs to.
  public let element: ModelElement
  /// What it is, such as “the default value”.
  public let what: String

  /// Compares a model with what was read back of it.
  static func losses(_ model: ManagedObjectModel, _ written: ManagedObjectModel) -> [ExportLoss] {
    guard model != written else { return [] }
    var losses: [ExportLoss] = []
    func compare<Value: Equatable>(_ original: Value, _ copy: Value, _ element: ModelElement, _ what: String) {
      if original != copy { losses.append(ExportLoss(element: element, what: what)) }
    }
    compare(model.versionIdentifiers, written.versionIdentifiers, .model, "every version identifier but the first")
    compare(model.composites, written.composites, .model, "a part of the composite types")
    compare(model.configurations, written.configurations, .model, "a part of the configurations")
    compare(model.fetchRequests, written.fetchRequests, .model, "a part of the fetch requests")
    let entities = Dictionary(written.entities.map { ($0.name, $0) }) { first, _ in first }
    for entity in model.entities where entities[entity.name] != entity {
      let element = ModelElement.entity(entity.name)
      guard let other = entities[entity.name] else {
        losses.append(ExportLoss(element: element, what: "the entity, whose name XML cannot hold"))
        continue
      }
      let before = losses.count
      losses += attributes(of: entity, other)
      compare(entity.relationships, other.relationships, element, "a part of its relationships")
      compare(entity.fetchedProperties, other.fetchedProperties, element, "a part of its fetched properties")
      compare(entity.fetchIndexes, other.fetchIndexes, element, "a part of its indexes")
      if losses.count == before { losses.append(ExportLoss(element: element, what: "a part of its settings")) }
    }
    return losses
  }

  private static func attributes(of entity: EntityDescription, _ other: EntityDescription) -> [ExportLoss] {
    let attributes = Dictionary(other.attributes.map { ($0.name, $0) }) { first, _ in first }
    return entity.attributes.compactMap { attribute in
      guard let counterpart = attributes[attribute.name] else {
        return loss(entity, attribute, "the attribute, whose name XML cannot hold")
      }
      if attribute == counterpart { return nil }
      if attribute.defaultValue != counterpart.defaultValue { return loss(entity, attribute, "the default value") }
      if attribute.validation != counterpart.validation { return loss(entity, attribute, "the limits of its values") }
      if attribute.derivation != counterpart.derivation { return loss(entity, attribute, "a part of its derivation") }
      if attribute.elements != counterpart.elements { return loss(entity, attribute, "its elements") }
      return loss(entity, attribute, "a part of its settings")
    }
  }

  private static func loss(_ entity: EntityDescription, _ attribute: AttributeDescription, _ what: String) -> ExportLoss
  {
    ExportLoss(element: .property(entity: entity.name, name: attribute.name), what: what)
  }
}

extension ExportLoss: CustomStringConvertible {
  /// The element and what is lost of it.
  public var description: String { "\(element): \(what)" }
}
