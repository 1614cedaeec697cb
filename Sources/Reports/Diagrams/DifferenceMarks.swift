import MappingModels
import ModelComparison
import ModelDescription

/// The marks of each entity and property in a comparison.
struct DifferenceMarks {
  private var entityMarks: [String: Diagram.Mark] = [:]
  private var entityNotes: [String: [String]] = [:]
  private var propertyMarks: [ModelElement: Diagram.Mark] = [:]
  private var propertyNotes: [ModelElement: [String]] = [:]
  private var removed: Set<ModelElement> = []
  private var destinationNames: [String: String] = [:]

  init(_ step: ModelStep) {
    let notable = Set(step.notableChanges)
    for change in step.changes {
      if case .entity(let source)? = change.sourceElement, case .entity(let name) = change.element, source != name {
        destinationNames[source] = name
      }
    }
    for change in step.changes { take(change, isNotable: notable.contains(change), in: step.destination) }
  }

  private mutating func take(_ change: Change, isNotable: Bool, in destination: EntityHierarchy) {
    switch change.kind {
    case .followsRename, .followsAncestor: return
    case .removed:
      removed.insert(change.element)
      if case .property(let entity, _) = change.element { markAsChanged(destinationName(of: entity), in: destination) }
      return
    default: break
    }
    let isAddition = change.kind == .added
    // Identifiers for a later rename, say, are on nearly everything; what matters would not be seen among them.
    if case .changed = change.kind, !isNotable { return }
    let notes = isAddition || !isNotable ? [] : [change.words.spoken]
    switch change.element {
    case .entity(let name):
      entityMarks[name] = isAddition ? .added : .changed
      entityNotes[name, default: []] += notes
    case .property(let entity, _):
      propertyMarks[change.element] = isAddition ? .added : .changed
      propertyNotes[change.element, default: []] += notes
      markAsChanged(entity, in: destination)
      guard case .property(let source, let name)? = change.sourceElement else { return }
      // What was a row is a line now, or the other way round.
      let isOfOtherKind = [.attributeBecameRelationship, .relationshipBecameAttribute].contains(change.kind)
      if isOfOtherKind || destinationName(of: source) != entity {
        removed.insert(.property(entity: source, name: name))
      }
    case .fetchIndex(let entity, _), .compoundIndex(let entity, _), .uniquenessConstraint(let entity, _):
      markAsChanged(entity, in: destination)
    case .model, .composite, .configuration, .fetchRequest: break
    }
  }

  private mutating func markAsChanged(_ entity: String, in destination: EntityHierarchy) {
    if destination.entity(named: entity) != nil, entityMarks[entity] == nil { entityMarks[entity] = .changed }
  }

  /// The name in the newer version of an entity of the older version.
  func destinationName(of entity: String) -> String { destinationNames[entity] ?? entity }

  /// Whether an entity of the older version was removed.
  func isRemoved(_ entity: String) -> Bool { removed.contains(.entity(entity)) }

  /// Whether a property was removed from an entity of the older version.
  func isRemoved(_ property: String, of entity: String) -> Bool {
    removed.contains(.property(entity: entity, name: property)) || removed.contains(.entity(entity))
  }

  /// A box of the newer version with its marks.
  func marked(_ node: Diagram.Node) -> Diagram.Node {
    var node = node
    node.mark = entityMarks[node.name]
    node.note = words(entityNotes[node.name])
    guard node.mark != .added else { return node }
    node.rows = node.rows.map { row in
      var row = row
      let element = ModelElement.property(entity: node.name, name: row.name)
      row.mark = propertyMarks[element]
      row.note = words(propertyNotes[element])
      return row
    }
    return node
  }

  /// A line of the newer version with its marks: added when all of it is.
  func marked(_ edge: Diagram.Edge) -> Diagram.Edge {
    guard edge.kind == .relationship else { return edge }
    var edge = edge
    let (forward, back) = (edge.targetEnd?.name, edge.sourceEnd?.name)
    edge.targetEnd?.mark = forward.flatMap { mark(of: $0, of: edge.source) }
    edge.targetEnd?.note = forward.flatMap { note(of: $0, of: edge.source) }
    edge.sourceEnd?.mark = back.flatMap { mark(of: $0, of: edge.target) }
    edge.sourceEnd?.note = back.flatMap { note(of: $0, of: edge.target) }
    let marks = [edge.sourceEnd, edge.targetEnd].compactMap { $0 }.map(\.mark)
    edge.mark = marks.allSatisfy { $0 == .added } ? .added : marks.contains { $0 != nil } ? .changed : nil
    return edge
  }

  private func mark(of relationship: String, of entity: String) -> Diagram.Mark? {
    if entityMarks[entity] == .added { return .added }
    return propertyMarks[.property(entity: entity, name: relationship)]
  }

  private func note(of relationship: String, of entity: String) -> String? {
    words(propertyNotes[.property(entity: entity, name: relationship)])
  }

  private func words(_ notes: [String]?) -> String? {
    guard let notes, !notes.isEmpty else { return nil }
    return notes.joined(separator: "; ")
  }
}
