import AtomicStores
public import ModelDescription
public import StoreRows

/// Merges the objects of two edits of a store.
struct ObjectMerge {
  private typealias Values = [String: RecordValue]

  private let model: EntityHierarchy
  private let base: [RecordID: Values]
  private let ours: [RecordID: Values]
  private let theirs: [RecordID: Values]
  /// The objects that a side links to other objects than the ancestor does.
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
  /// - Parameter side: the side whose values are used in conflicts.
  /// - Returns: the objects by entity and key, and the conflicts.
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

  /// The objects with links that the ancestor does not have.
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

  /// Whether a value of the object itself was changed; a removed link does not count.
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
        conflicts.append(StoreMergeConflict(object: id, cause: .value(name, base: before, ours: own, theirs: other)))
      }
      if value != .null { merged[name] = value }
    }
    return merged
  }

  /// A value merged from three, and whether it is a conflict; composite values are merged element by element.
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

/// Makes both sides of every link equal after each was merged on its own.
struct MergedLinks {
  private let model: EntityHierarchy
  private let relationships: [String: [RelationshipDescription]]

  init(_ model: EntityHierarchy) {
    self.model = model
    relationships = Dictionary(
      model.model.entities.map { entity in
        (entity.name, model.allRelationships(of: entity.name).values.map(\.property).sorted { $0.name < $1.name })
      }
    ) { first, _ in first }
  }

  /// Removes links to deleted objects; then the to-one side of each link decides about the to-many side.
  func settle(_ objects: inout [RecordID: [String: RecordValue]]) {
    let ids = objects.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    for id in ids {
      for relationship in relationships[id.entity] ?? [] {
        guard let links = objects[id]?[relationship.name]?.links else { continue }
        let left = links.filter { objects[$0] != nil }
        if left.count < links.count { set(left, of: relationship, &objects[id]) }
      }
    }
    var owned: [RecordID: [String: [RecordID]]] = [:]
    for id in ids {
      for relationship in relationships[id.entity] ?? [] where !relationship.isToMany {
        guard let inverse = model.inverse(of: relationship), let other = objects[id]?[relationship.name]?.links?.first
        else { continue }
        if inverse.isToMany {
          owned[other, default: [:]][inverse.name, default: []].append(id)
        } else if objects[other]?[inverse.name]?.links != [id] {
          set([], of: relationship, &objects[id])
        }
      }
    }
    for id in ids {
      for relationship in relationships[id.entity] ?? [] where relationship.isToMany {
        guard model.inverse(of: relationship)?.isToMany == false else { continue }
        let members = owned[id]?[relationship.name] ?? []
        let listed = (objects[id]?[relationship.name]?.links ?? []).filter(Set(members).contains)
        let others = members.filter { !Set(listed).contains($0) }
        set(relationship.isOrdered ? listed + others : members, of: relationship, &objects[id])
      }
    }
  }

  private func set(
    _ ids: [RecordID], of relationship: RelationshipDescription, _ values: inout [String: RecordValue]?
  ) {
    values?[relationship.name] = relationship.isToMany && !ids.isEmpty ? .objects(ids) : ids.first.map { .object($0) }
  }
}

/// The objects of a to-many relationship, merged as a set.
///
/// If they are ordered, moves of one side are kept, and added
/// objects follow their predecessor of that side.
struct MergedList {
  /// Whether both sides changed the order of the same objects.
  let isConflict: Bool
  private let ours: [RecordID]
  private let theirs: [RecordID]
  private let isOrdered: Bool
  private let isTheirOrder: Bool
  private let kept: Set<RecordID>

  init(_ base: [RecordID], _ ours: [RecordID], _ theirs: [RecordID], isOrdered: Bool) {
    (self.ours, self.theirs, self.isOrdered) = (ours, theirs, isOrdered)
    let (before, own, other) = (Set(base), Set(ours), Set(theirs))
    kept = own.union(other).filter { before.contains($0) ? own.contains($0) && other.contains($0) : true }
    let common = own.intersection(other)
    let (ourOrder, theirOrder) = (ours.filter(common.contains), theirs.filter(common.contains))
    let isOurs = base.filter(common.contains) == ourOrder.filter(before.contains)
    let isTheirs = base.filter(common.contains) == theirOrder.filter(before.contains)
    isConflict = isOrdered && ourOrder != theirOrder && isOurs == isTheirs
    isTheirOrder = isOurs && !isTheirs
  }

  /// The objects.
  ///
  /// - Parameter side: the side whose order is used in a conflict.
  /// - Returns: the objects, in their order or by key.
  func elements(preferring side: StoreMerge.Side) -> [RecordID] {
    guard isOrdered else { return kept.sorted { ($0.key, $0.entity) < ($1.key, $1.entity) } }
    let followsTheirs = isConflict ? side == .theirs : isTheirOrder
    let (first, second) = followsTheirs ? (theirs, ours) : (ours, theirs)
    var elements = first.filter(kept.contains)
    let present = Set(elements)
    var previous: RecordID?
    for id in second where kept.contains(id) {
      if !present.contains(id) {
        let place = previous.flatMap { elements.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        elements.insert(id, at: place)
      }
      previous = id
    }
    return elements
  }
}

/// A conflict between two edits of a single store.
public struct StoreMergeConflict: Hashable, Sendable {
  /// The cause of a conflict.
  public enum Cause: Hashable, Sendable {
    /// An attribute or a to-one relationship has two new values.
    case value(String, base: RecordValue, ours: RecordValue, theirs: RecordValue)
    /// Both sides changed the order of an ordered relationship.
    case order(String)
    /// Ours deleted the object, and theirs changed it or linked to it.
    case deletedByOurs
    /// Theirs deleted the object, and ours changed it or linked to it.
    case deletedByTheirs
    /// The merged store has another object with the same unique values.
    case notUnique([String], other: RecordID)
    /// The relationship of the merged object has fewer objects than its minimum.
    case tooFew(String, count: Int, minimum: Int)
    /// The relationship of the merged object has more objects than its maximum.
    case tooMany(String, count: Int, maximum: Int)
  }

  /// The object, under its key in the merged store.
  public let object: RecordID
  /// The cause of the conflict.
  public let cause: Cause

  /// Creates a conflict.
  public init(object: RecordID, cause: Cause) { (self.object, self.cause) = (object, cause) }
}

/// The reason why stores cannot be merged.
public enum StoreMergeError: AdvisedError, Hashable {
  /// A store is of a different version than ours.
  case versions(path: String, ours: String)
  /// Each side changed an entry of the metadata to a different value.
  case metadata(path: String, entry: String)
  /// There is no key left for an object that theirs added.
  case keys(path: String, entity: String)

  /// The store.
  public var place: String? {
    switch self {
    case .versions(let path, _), .metadata(let path, _), .keys(let path, _): path
    }
  }

  /// The cause.
  public var cause: String {
    switch self {
    case .versions(_, let ours): "the store is of another version of the model than \(ours)"
    case .metadata(_, let entry): "both sides changed \(entry) in the metadata"
    case .keys(_, let entity): "\(entity) already uses the maximum key, so a new object cannot get a key"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .versions: "migrate both stores to the same version: \(run: "modelctl", "migrate", "STORE")"
    case .metadata: "give the entry the same value on both sides"
    case .keys: nil
    }
  }
}
