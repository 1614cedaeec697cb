import ModelDescription
import ModelFiles

extension Rule {
  static let duplicateName = Rule(
    id: "duplicate-name",
    severity: .error,
    purpose: "No two entities of a model, and no two properties of an entity, have the same name.",
    explanation: """
      Core Data keeps entities, properties and indexes by their names, so that of two with one name only one is \
      left, and nobody says which. It is most often left over from a merge. Remove one of them, or give it a name of \
      its own.
      """
  ) { index in
    let repeated =
      index.file.locations.isEmpty
      ? repetitions(index.model)
      : index.file.redeclarations.map { ($0.element, Optional($0.location)) }
    let entities = Set(repeated.compactMap { if case .entity(let name) = $0.0 { name } else { nil } })
    return repeated.compactMap { element, location in
      // Everything in an entity that stands twice would be reported with it.
      if let holder = element.holder, entities.contains(holder) { return nil }
      return switch element {
      case .model, .compoundIndex, .uniquenessConstraint: nil
      default:
        RuleFinding(
          element, "\(element) is declared more than once", fix: "rename or remove one of them", at: location)
      }
    }
  }

  /// The same for a model without places, such as one declared in code.
  private static func repetitions(_ model: ManagedObjectModel) -> [(ModelElement, SourceLocation?)] {
    let entities = model.entities.map { ModelElement.entity($0.name) }
    let properties = model.entities.flatMap { entity in
      entity.propertyNames.map { ModelElement.property(entity: entity.name, name: $0) }
    }
    var seen: Set<ModelElement> = []
    return (entities + properties).filter { !seen.insert($0).inserted }.map { ($0, nil) }
  }
}
