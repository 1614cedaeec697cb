public import AtomicStores
import ModelDescription
public import ModelFiles
public import ObjectStores
public import StoreRows

/// What keeps an object of a text from being loaded.
public struct LoadFinding: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    /// The text's object is none of the model's.
    case text(StoreDocumentError.Finding)
    /// A decimal number stands in the text without quotes, so that it is no text; the number is what was read.
    case unquotedDecimal(String, property: String)
    /// The object cannot be saved as it is.
    case save(SaveBlocker)
    /// Neither the text nor the command names the entity.
    case noEntity
    /// The word that names the entity must be another one, as a property has its name.
    case entityKey(String, entity: String)
    /// An object of the store has the key or the value already.
    case alreadyThere(RecordID)
    /// Two objects of the text are one of the store.
    case matchedTwice(RecordID)
    /// An object of another entity has the key.
    case otherEntity(RecordID)
    /// No object has the value that a link names.
    case noMatch(String, property: String)
    /// Several objects of the store have the value by which the object is matched.
    case ambiguous([RecordID], property: String)
    /// Several objects have the value that a link names.
    case ambiguousLink(String, property: String, objects: [RecordID])
  }

  /// Where in the text.
  public let location: SourceLocation
  /// What is wrong.
  public let cause: Cause

  init(_ cause: Cause, at location: SourceLocation) { (self.cause, self.location) = (cause, location) }
}

extension LoadFinding: CustomStringConvertible {
  /// The place and the cause.
  public var description: String { "\(location): \(words)" }

  private var words: String {
    switch cause {
    case .text(let finding): "\(finding)"
    case .unquotedDecimal(let number, let property):
      "\(StoreDocumentError.Finding.value(number, property: property, type: AttributeType.decimal.name)): "
        + "decimal numbers are texts, so that they keep every digit; write it in quotes"
    case .save(let blocker): "\(blocker) (Core Data's error \(blocker.code))"
    case .noEntity: "the object names no entity; write “entity” in front, or name the entity of all with --entity"
    case .entityKey(let key, let entity): "\(entity) has a property of that name; name the entity with “\(key)”"
    case .alreadyThere(let id): "\(id) is there already; --upsert changes objects that are there"
    case .matchedTwice(let id): "\(id) is matched by another object of the text already"
    case .otherEntity(let id): "the key is that of \(id), an object of another entity"
    case .noMatch(let text, let property): "\(property) leads to “\(text)”, which no object has"
    case .ambiguous(let ids, let property): "\(ids.count) objects have this \(property): \(Self.choice(ids))"
    case .ambiguousLink(let text, let property, let ids):
      "\(property) leads to “\(text)”, which \(ids.count) objects have: \(Self.choice(ids))"
    }
  }

  private static func choice(_ ids: [RecordID]) -> String {
    let more = ids.count > 3 ? " and \(ids.count - 3) more" : ""
    return ids.prefix(3).map(\.description).joined(separator: ", ") + more
      + "; name an attribute with --match whose values are unique"
  }
}

/// Collects what is wrong: the first findings as they are, of the others only how many they are.
struct LoadFindings {
  static let listed = 100
  /// The most findings of one kind that are looked for.
  static let sought = 10_000

  private var first: [LoadFinding] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }
  /// True when there are so many that looking for more helps nobody.
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
