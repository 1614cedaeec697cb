import AtomicStores
import ModelDescription
import StoreRows

/// Merges the objects of two edits of a store.
struct ObjectMerge {
  private typealias Values = [String: RecordValue]

  private let model: EntityHierarchy
  private let base: [RecordID: Values]
  private let ours: [RecordID: Values]
  private let theirs: [RecordID: Values]
  /// The objects that a side links to another in a way that the ancestor does not.
  private let linkedByOurs: Set<RecordID>
  private let linkedByTheirs: Set<RecordID>

  init(base: StoreDocument, ours: StoreDocument, theirs: StoreDocument, model: EntityHierarchy) {
    self.model = model
    func values(_ document: StoreDocument) -> [RecordID: Values] {
      Dictionary(document.objects.map { ($0.id, $0.values) }) { first, _ in first }
    }
    (self.base, self.ours, self.theirs) = (values(base), values(ours), values(theirs))
    linkedByOurs = Self.linked(in: self.ours, since: self.base)
    linkedByTheirs = Self.linked(in: self.theirs, since: self.base)
  }

  /// Merges.
  ///
  /// - Parameter side: whose part is taken where the sides disagree.
  /// - Returns: the objects by entity and key, and what the sides disagree about.
  func merged(preferring side: StoreMerge.Side) -> (objects: [StoreDocument.Object], conflicts: [StoreMergeConflict]) {
    var objects: [RecordID: Values] = [:]
    var conflicts: [StoreMergeConflict] = []
    for id in Set(ours.keys).union(theirs.keys).sorted(by: { ($0.entity, $0.key) < ($1.entity, $1.key) }) {
      switch (base[id], ours[id], theirs[id]) {
      case (let before, let own?, let other?):
        objects[id] = values(of: id, before ?? [:], own, other, preferring: side, &conflicts)
      case (nil, let own?, nil): objects[id] = own
      case (nil, nil, let other?): objects[id] = other
      case (let before?, let own?, nil):
        guard linkedByOurs.contains(id) || isChanged(id, own, since: before) else { continue }
        conflicts.append(StoreMergeConflict(object: id, cause: .deletedByTheirs))
        if side == .ours { objects[id] = own }
      case (let before?, nil, let other?):
        guard linkedByTheirs.contains(id) || isChanged(id, other, since: before) else { continue }
        conflicts.append(StoreMergeConflict(object: id, cause: .deletedByOurs))
        if side == .theirs { objects[id] = other }
      case (_, nil, nil): continue
      }
    }
    MergedLinks(model).settle(&objects)
    let sorted = objects.map { StoreDocument.Object(id: $0.key, values: $0.value) }
      .sorted { ($0.id.entity, $0.id.key) < ($1.id.entity, $1.id.key) }
    return (sorted, conflicts)
  }

  /// The objects to which links lead that the ancestor does not have.
  private static func linked(in objects: [RecordID: Values], since base: [RecordID: Values]) -> Set<RecordID> {
    var linked: Set<RecordID> = []
    for (id, values) in objects {
      for (name, value) in values {
        guard let links = value.links else { continue }
        let new = Set(links).subtracting(base[id]?[name]?.links ?? [])
        linked.formUnion(new)
        if !new.isEmpty, base[id] != nil { linked.insert(id) }
      }
    }
    return linked
  }

  /// True when a value of the object itself was changed; a link that went does not count.
  private func isChanged(_ id: RecordID, _ values: Values, since base: Values) -> Bool {
    model.allAttributes(of: id.entity).values.map(\.property).contains { attribute in
      attribute.derivation == nil && (values[attribute.name] ?? .null) != (base[attribute.name] ?? .null)
    }
  }

  private func values(
    of id: RecordID, _ base: Values, _ ours: Values, _ theirs: Values, preferring side: StoreMerge.Side,
    _ conflicts: inout [StoreMergeConflict]
  ) -> Values {
    let attributes = model.allAttributes(of: id.entity)
    let relationships = model.allRelationships(of: id.entity)
    var merged: Values = [:]
    for name in Set(ours.keys).union(theirs.keys).sorted() {
      let (before, own, other) = (base[name] ?? .null, ours[name] ?? .null, theirs[name] ?? .null)
      if let relationship = relationships[name]?.property, relationship.isToMany {
        let list = MergedList(
          before.links ?? [], own.links ?? [], other.links ?? [], isOrdered: relationship.isOrdered)
        if list.isConflict { conflicts.append(StoreMergeConflict(object: id, cause: .order(name))) }
        let ids = list.elements(preferring: side)
        if !ids.isEmpty { merged[name] = .objects(ids) }
        continue
      }
      let isDerived = attributes[name]?.property.derivation != nil
      let (value, disagrees) = Self.value(before, own, other, preferring: isDerived ? .ours : side)
      if disagrees, !isDerived {
        conflicts.append(
          StoreMergeConflict(object: id, cause: .value(name, base: before, ours: own, theirs: other)))
      }
      if value != .null { merged[name] = value }
    }
    return merged
  }

  /// A value of three, and whether the sides disagree; the elements of a composite one are merged one by one.
  private static func value(
    _ base: RecordValue, _ ours: RecordValue, _ theirs: RecordValue, preferring side: StoreMerge.Side
  ) -> (RecordValue, isConflict: Bool) {
    if ours == theirs || theirs == base { return (ours, false) }
    if ours == base { return (theirs, false) }
    guard case .composite(let own) = ours, case .composite(let other) = theirs else {
      return (side == .ours ? ours : theirs, true)
    }
    var before: Values = [:]
    if case .composite(let elements) = base { before = elements }
    var (elements, isConflict): (Values, Bool) = ([:], false)
    for name in Set(own.keys).union(other.keys) {
      let (element, disagrees) = value(
        before[name] ?? .null, own[name] ?? .null, other[name] ?? .null, preferring: side)
      if element != .null { elements[name] = element }
      isConflict = isConflict || disagrees
    }
    return (.composite(elements), isConflict)
  }
}
