import ModelDescription
import StoreRows

/// Finds objects that are to be unique and are not.
struct UniquenessSearch {
  /// Two objects with the same values.
  struct Collision {
    let object: RecordID
    let isNew: Bool
    /// The object that has the values already: one in the store, or one that came earlier in the save.
    let other: RecordID
    let properties: [String]
  }

  /// A constraint with the values that objects of a save have for it.
  private struct Question {
    let entity: String
    let properties: [String]
    var holders: [[RecordValue]: [Int]] = [:]
    var order: [[RecordValue]] = []

    mutating func add(_ position: Int, with values: [RecordValue]) {
      if holders[values]?.append(position) == nil {
        holders[values] = [position]
        order.append(values)
      }
    }
  }

  /// - Returns: the collisions, in the order of the objects.
  static func collisions<Source>(in graph: SavingGraph<Source>) throws -> [Collision] {
    var questions: [String: Question] = [:]
    for (position, object) in graph.objects.enumerated() where !object.isDeleted {
      let changed = object.entity.constraints.isEmpty ? [] : object.changed
      for constraint in object.entity.constraints {
        guard object.isNew || constraint.properties.contains(where: changed.contains) else { continue }
        let values = constraint.properties.map { object.value($0) }
        // A missing value never collides, as in SQLite's unique index.
        guard !values.contains(.null) else { continue }
        let key = "\(constraint.entity) \(constraint.properties)"
        questions[key, default: Question(entity: constraint.entity, properties: constraint.properties)]
          .add(position, with: values)
      }
    }
    var collisions: [(position: Int, collision: Collision)] = []
    for question in questions.sorted(by: { $0.key < $1.key }).map(\.value) {
      let saved = try graph.source.objects(of: question.entity, with: question.properties, in: question.order)
      for values in question.order {
        let positions = question.holders[values] ?? []
        // A stored object counts while it stays and keeps its values.
        let own = Set(positions.map { graph.objects[$0].id })
        let stored = (saved[values] ?? []).filter { id in
          guard !own.contains(id) else { return false }
          guard let known = graph.known(id) else { return true }
          return !known.isDeleted && question.properties.map { known.value($0) } == values
        }
        let first = stored.first ?? positions.first { !graph.objects[$0].isNew }.map { graph.objects[$0].id }
        let kept = first ?? positions.first.map { graph.objects[$0].id }
        guard let kept else { continue }
        for position in positions where graph.objects[position].id != kept {
          let object = graph.objects[position]
          collisions.append(
            (position, Collision(object: object.id, isNew: object.isNew, other: kept, properties: question.properties)))
        }
      }
    }
    return collisions.sorted { $0.position < $1.position }.map(\.collision)
  }
}
