public import AtomicStores
public import ModelDescription
public import ModelFiles
public import ObjectStores
public import StoreRows

/// The reason why an object of a text cannot be loaded.
public struct LoadFinding: Error, Hashable, Sendable {
  /// The kind of the error, with its values.
  public enum Cause: Hashable, Sendable {
    /// The object does not fit the model.
    case text(StoreDocumentError.Finding)
    /// A decimal number is not in quotes; the number is the one that was read.
    case unquotedDecimal(String, property: String)
    /// The object cannot be saved as it is.
    case save(SaveBlocker)
    /// Neither the text nor the command names the entity.
    case noEntity
    /// A property has the key that names the entity; another key must be used.
    case entityKey(String, entity: String)
    /// An object of the store has the key or the value already.
    case alreadyThere(RecordID)
    /// Two objects of the text match the same object of the store.
    case matchedTwice(RecordID)
    /// An object of a different entity has the key.
    case otherEntity(RecordID)
    /// No object has the value that a link names.
    case noMatch(String, property: String)
    /// Several objects of the store have the value by which the object is matched.
    case ambiguous([RecordID], property: String)
    /// Several objects have the value that a link names.
    case ambiguousLink(String, property: String, objects: [RecordID])
  }

  /// The location in the text.
  public let location: SourceLocation
  /// The kind of the error, with its values.
  public let cause: Cause

  init(_ cause: Cause, at location: SourceLocation) { (self.cause, self.location) = (cause, location) }
}

extension LoadFinding: CustomStringConvertible {
  /// The location, the cause and the words of the remedy.
  public var description: String {
    let words = words
    return "\(location): \(words.cause)" + (words.advice.map { "; \($0.words)" } ?? "")
  }

  /// The remedy, with its options.
  public var advice: Advice? { words.advice }

  private var words: ErrorWords {
    switch cause {
    case .text(let finding): .init("\(finding)")
    case .unquotedDecimal(let number, let property):
      .init(
        "\(StoreDocumentError.Finding.value(number, property: property, type: AttributeType.decimal.name)): "
          + "a decimal number must be a text to keep every digit",
        "write it in quotes")
    case .save(let blocker): .init("\(blocker) (Core Data error \(blocker.code))")
    case .noEntity:
      .init(
        "the object does not name its entity",
        "add “entity”, or name the entity of all objects: \(option: "--entity", "NAME")")
    case .entityKey(let key, let entity):
      .init("\(entity) has a property with this name", "name the entity with “\(key)”")
    case .alreadyThere(let id): .init("\(id) already exists", "update the objects that exist: \(option: "--upsert")")
    case .matchedTwice(let id): .init("another object of the text already matches \(id)")
    case .otherEntity(let id): .init("\(id), an object of another entity, has this key")
    case .noMatch(let text, let property): .init("\(property) links to “\(text)”, a value that no object has")
    case .ambiguous(let ids, let property):
      .init("\(ids.count) objects have this \(property): \(Self.list(ids))", Self.uniqueMatch)
    case .ambiguousLink(let text, let property, let ids):
      .init("\(property) links to “\(text)”, a value of \(ids.count) objects: \(Self.list(ids))", Self.uniqueMatch)
    }
  }

  private static let uniqueMatch: Advice =
    "match by an attribute with unique values: \(option: "--match", "ENTITY.ATTRIBUTE")"

  private static func list(_ ids: [RecordID]) -> String {
    let limit = TextWidth.listed(3)
    let more = ids.count > limit ? " and \(ids.count - limit) more" : ""
    return ids.prefix(limit).map(\.description).joined(separator: ", ") + more
  }
}

/// Collects the first findings, and counts the others.
struct LoadFindings {
  static let listed = 100
  /// The maximum number of findings of one kind to search for.
  static let sought = 10_000

  private var first: [LoadFinding] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }
  /// Whether the search can stop because there are too many findings to list.
  var isFull: Bool { count >= Self.sought }

  mutating func add(_ cause: LoadFinding.Cause, at location: SourceLocation) {
    count += 1
    if first.count < Self.listed { first.append(LoadFinding(cause, at: location)) }
  }

  func end() throws(LoadError) {
    guard count > 0 else { return }
    throw .findings(first.sorted { $0.location < $1.location }, more: count - first.count)
  }
}
