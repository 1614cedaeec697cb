import ModelDescription
import ModelFiles

extension Rule {
  static let duplicateName = Rule(
    id: "duplicate-name",
    severity: .error,
    purpose: "Entities of a model, and properties of an entity, must have different names.",
    explanation: """
      Core Data looks up entities, properties and indexes by name. If two have the same name, Core Data keeps either \
      of them. A merge is the usual cause. Remove or rename the duplicate.
      """
  ) { index in
    let repeated =
      index.file.locations.isEmpty
      ? repetitions(index.model)
      : index.file.redeclarations.map { ($0.element, Optional($0.location)) }
    let entities = Set(repeated.compactMap { if case .entity(let name) = $0.0 { name } else { nil } })
    return repeated.compactMap { element, location in
      // Everything in an entity that is declared twice would be reported with it.
      if let holder = element.holder, entities.contains(holder) { return nil }
      return switch element {
      case .model, .compoundIndex, .uniquenessConstraint: nil
      default:
        RuleFinding(
          element, "\(element) is declared more than once", fix: "rename it, or remove the duplicate", at: location)
      }
    }
  }

  /// The repeated elements of a model without locations, such as a model declared in code.
  private static func repetitions(_ model: ManagedObjectModel) -> [(ModelElement, SourceLocation?)] {
    let entities = model.entities.map { ModelElement.entity($0.name) }
    let properties = model.entities.flatMap { entity in
      entity.propertyNames.map { ModelElement.property(entity: entity.name, name: $0) }
    }
    var seen: Set<ModelElement> = []
    return (entities + properties).filter { !seen.insert($0).inserted }.map { ($0, nil) }
  }
}
