public import ModelDescription

/// The location of the first declaration of each element of a model in its file.
///
/// Locations in an entity are computed on demand, because versions with the same text of the entity share them.
public struct ElementLocations: Sendable {
  /// The places of what is in no entity, and of entities that are declared more than once.
  private var own: [ModelElement: SourceLocation] = [:]
  /// The entities that are declared once.
  private var entities: [String: LocatedEntity] = [:]

  /// Makes the places of a model without any.
  public init() {}

  init(capacity: Int) { own.reserveCapacity(capacity) }

  /// True if there are no locations, as in an archive.
  public var isEmpty: Bool { own.isEmpty && entities.isEmpty }

  /// The place of an element.
  public subscript(element: ModelElement) -> SourceLocation? {
    if let location = own[element] { return location }
    if let holder = element.holder { return entities[holder]?.location(of: element) }
    guard case .entity(let name) = element else { return nil }
    return entities[name]?.start
  }

  /// Every place.
  public var all: [ModelElement: SourceLocation] {
    entities.values.reduce(into: own) { all, entity in all.merge(entity.locations) { first, _ in first } }
  }

  /// Adds places of elements that have none.
  package mutating func merge(_ others: ElementLocations) {
    (own, entities) = (all.merging(others.all) { first, _ in first }, [:])
  }

  /// Adds the location of an element outside of the entities that are declared once; false if it has a location.
  mutating func declare(_ element: ModelElement, at location: SourceLocation) -> Bool {
    guard let first = own.updateValue(location, forKey: element) else { return true }
    own[element] = first
    return false
  }

  /// Adds an entity; false if its name is taken, and its elements must be declared one by one.
  mutating func add(_ entity: LocatedEntity) -> Bool {
    let name = entity.reading.entity.name
    if let first = entities.removeValue(forKey: name) {
      own.merge(first.locations) { first, _ in first }
      return false
    }
    guard own[.entity(name)] == nil else { return false }
    entities[name] = entity
    return true
  }
}

extension ElementLocations: Hashable {
  /// Returns whether the same elements have the same locations.
  public static func == (first: ElementLocations, second: ElementLocations) -> Bool { first.all == second.all }

  /// Hashes every place.
  public func hash(into hasher: inout Hasher) { hasher.combine(all) }
}

/// An entity as its text describes it, with the locations in the file that it was read from.
final class LocatedDescription: Sendable {
  let entity: EntityDescription
  fileprivate let record: ContentsRecord
  fileprivate let start: SourceLocation

  init(_ element: MarkupElement) throws(ModelFileError) {
    var record = ContentsRecord(capacity: element.children.count + 1)
    entity = try EntityReader.entity(element, &record)
    (self.record, start) = (record, element.location)
  }
}

/// An entity at its location in a file, which can be another file than the one it was read from.
struct LocatedEntity: Sendable {
  let reading: LocatedDescription
  /// The place of its `<`.
  let start: SourceLocation

  var locations: [ModelElement: SourceLocation] { reading.record.locations.all.mapValues(moved) }

  var redeclarations: [ModelFile.Redeclaration] {
    reading.record.redeclarations.map { .init(element: $0.element, location: moved($0.location)) }
  }

  var notes: [ModelNote] {
    reading.record.notes.map { ModelNote(location: moved($0.location), sentence: $0.sentence) }
  }

  /// Everything that it declares, in its order.
  var declarations: [ModelFile.Redeclaration] {
    let first = locations.map { ModelFile.Redeclaration(element: $0.key, location: $0.value) }
    return (first + redeclarations).sorted { $0.location < $1.location }
  }

  func location(of element: ModelElement) -> SourceLocation? { reading.record.locations[element].map(moved) }

  private func moved(_ location: SourceLocation) -> SourceLocation {
    let (line, column) = (location.line - reading.start.line, location.column - reading.start.column)
    return SourceLocation(
      file: start.file, line: start.line + line, column: line == 0 ? start.column + column : location.column)
  }
}
