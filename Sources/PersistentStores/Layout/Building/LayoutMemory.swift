import Foundation
import ModelDescription

/// The layouts that were computed last, so that who migrates, reads and checks one store lays its model out once.
final class LayoutMemory: @unchecked Sendable {
  static let shared = LayoutMemory()

  /// All that a layout follows from.
  private struct Key: Hashable {
    let hierarchy: ObjectIdentifier
    let numbers: [SQLStoreLayout.EntityNumber]
    let names: SelfJoinNames
  }

  /// The hierarchy is kept, so that no other has its identity meanwhile.
  private struct Entry<Value> {
    let hierarchy: EntityHierarchy
    let value: Value
  }

  /// As many as the versions that a few threads work on at once.
  private static let capacity = 32

  private let lock = NSLock()
  private var walks: [(key: ObjectIdentifier, entry: Entry<ModelWalk>)] = []
  private var layouts: [(key: Key, entry: Entry<SQLStoreLayout>)] = []

  /// The walk over a model.
  func walk(over hierarchy: EntityHierarchy) -> ModelWalk {
    recall(hierarchy.identity, of: hierarchy, in: \.walks) { ModelWalk(of: hierarchy) }
  }

  /// The layout of a model.
  func layout(
    of hierarchy: EntityHierarchy, _ numbering: EntityNumbering, _ names: SelfJoinNames,
    make: (ModelWalk) -> SQLStoreLayout
  ) -> SQLStoreLayout {
    let walk = walk(over: hierarchy)
    let isNamed = walk.visits.contains { $0.ends.isSelfJoin }
    let key = Key(
      hierarchy: hierarchy.identity, numbers: numbering.rows, names: isNamed ? names : SelfJoinNames())
    return recall(key, of: hierarchy, in: \.layouts) { make(walk) }
  }

  /// What is known, or is made now; two threads may make the same.
  private func recall<Key: Equatable, Value>(
    _ key: Key, of hierarchy: EntityHierarchy,
    in memory: ReferenceWritableKeyPath<LayoutMemory, [(key: Key, entry: Entry<Value>)]>, make: () -> Value
  ) -> Value {
    let known = lock.withLock { () -> Value? in
      guard let position = self[keyPath: memory].firstIndex(where: { $0.key == key }) else { return nil }
      let found = self[keyPath: memory].remove(at: position)
      self[keyPath: memory].append(found)
      return found.entry.value
    }
    if let known { return known }
    let made = make()
    lock.withLock {
      if self[keyPath: memory].count >= Self.capacity { self[keyPath: memory].removeFirst() }
      self[keyPath: memory].append((key, Entry(hierarchy: hierarchy, value: made)))
    }
    return made
  }
}
