/// The objects of a to-many relationship: not loaded, or loaded, and in both cases with what was edited since.
///
/// Saving an object writes the edits and nothing else, so that an object that was read without its rows never unlinks them.
public struct ObjectLinks<Object: StoredObject>: Hashable, Sendable {
  /// An edit, in the order in which it was made.
  enum Edit: Hashable, Sendable {
    case insert(ObjectID<Object>, at: Int?)
    case remove(ObjectID<Object>)
  }

  /// What was there when the object was read; nil when nobody asked for it.
  private let loaded: [ObjectID<Object>]?
  /// What somebody put in the place of all.
  private(set) var replacement: [ObjectID<Object>]?
  /// What was edited since.
  private(set) var edits: [Edit] = []

  /// Makes a relationship that is not loaded and not edited; of a new object, one without objects.
  public init() { loaded = nil }

  init(loaded: [ObjectID<Object>]?) { self.loaded = loaded }

  /// The objects with all edits, in their order, or by key; nil when they are not loaded.
  public var ids: [ObjectID<Object>]? { (replacement ?? loaded).map(edited) }

  /// True when the objects are known.
  public var isLoaded: Bool { replacement != nil || loaded != nil }

  /// True when there is something to save.
  public var isEdited: Bool { replacement != nil || !edits.isEmpty }

  /// Adds an object at the end, or at a place of an ordered relationship; one that is there moves to the place.
  public mutating func insert(_ id: ObjectID<Object>, at place: Int? = nil) { edits.append(.insert(id, at: place)) }

  /// Takes an object out.
  public mutating func remove(_ id: ObjectID<Object>) { edits.append(.remove(id)) }

  /// Gives an object another place in an ordered relationship; one that is not there is added.
  public mutating func move(_ id: ObjectID<Object>, to place: Int) { insert(id, at: place) }

  /// Makes the objects these, whatever was there.
  public mutating func set(_ ids: some Sequence<ObjectID<Object>>) {
    replacement = Array(ids)
    edits = []
  }

  /// Objects after the edits.
  func edited(_ ids: [ObjectID<Object>]) -> [ObjectID<Object>] {
    guard !edits.isEmpty else { return ids }
    var ids = ids
    var present = Set(ids)
    for edit in edits {
      switch edit {
      case .insert(let id, let place):
        let isNew = present.insert(id).inserted
        guard let place else {
          if isNew { ids.append(id) }
          continue
        }
        if !isNew { ids.removeAll { $0 == id } }
        ids.insert(id, at: min(max(0, place), ids.count))
      case .remove(let id):
        if present.remove(id) != nil { ids.removeAll { $0 == id } }
      }
    }
    return ids
  }
}

extension ObjectLinks: ExpressibleByArrayLiteral {
  /// Makes the objects these, whatever was there.
  public init(arrayLiteral ids: ObjectID<Object>...) {
    self.init()
    set(ids)
  }
}
