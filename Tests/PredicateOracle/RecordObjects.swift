import GRDB
import MigrationSQL
public import ModelDescription
public import StoreRows

/// Objects in memory with their values and links, over which predicates are evaluated without a store.
public struct RecordObjects {
  /// The model of the objects.
  public let hierarchy: EntityHierarchy
  private var records: [EvaluatedObject: ObjectRecord] = [:]
  private let externalData: ConversionFunctions

  /// Takes objects.
  ///
  /// - Parameters:
  ///   - hierarchy: their model.
  ///   - records: the objects; those whose to-many relationships are asked have them among their values.
  ///   - store: the store that they were read from, beside which its external data lies.
  public init(_ hierarchy: EntityHierarchy, _ records: some Sequence<ObjectRecord> = [], of store: String = "") {
    self.hierarchy = hierarchy
    externalData = ConversionFunctions(store: store)
    for record in records { insert(record) }
  }

  /// Adds an object, or puts it in the place of what it was.
  public mutating func insert(_ record: ObjectRecord) { records[object(record.id)] = record }

  /// Removes an object.
  public mutating func remove(_ id: RecordID) { records[object(id)] = nil }

  func object(_ id: RecordID) -> EvaluatedObject {
    EvaluatedObject(root: hierarchy.rootName(of: id.entity), key: id.key)
  }

  private func value(_ property: String, of object: EvaluatedObject) throws(RecordEvaluationError) -> RecordValue {
    guard let record = records[object] else { return .null }
    guard let value = record.values[property] else {
      // An entity above has not what one below it has.
      let (attributes, links) = (
        hierarchy.allAttributes(of: record.id.entity), hierarchy.allRelationships(of: record.id.entity)
      )
      guard attributes[property] != nil || links[property] != nil else { return .null }
      throw .notRead(property, of: record.id)
    }
    return value
  }
}

extension RecordObjects: ExpressionObjects {
  func contains(_ object: EvaluatedObject) -> Bool { records[object] != nil }

  func value(ofAttribute path: String, of object: EvaluatedObject) throws -> DatabaseValue {
    var keys = path.split(separator: ".").map(String.init)[...]
    var value = try value(keys.popFirst() ?? "", of: object)
    while let key = keys.popFirst() {
      guard case .composite(let elements) = value else { return .null }
      value = elements[key] ?? .null
    }
    // An exact number is what its column makes of it.
    if case .attribute(.decimal(let number)) = value { return SQLValue.decimal(number).databaseValue }
    return RecordEncoding.stored(value, isMarked: isMarked(path, of: object)).databaseValue
  }

  private func isMarked(_ path: String, of object: EvaluatedObject) -> Bool {
    guard let record = records[object] else { return false }
    return hierarchy.allAttributes(of: record.id.entity)[path]?.property.allowsExternalBinaryDataStorage == true
  }

  func keys(along relationship: RelationshipDescription, of object: EvaluatedObject) throws -> [Int64] {
    switch try value(relationship.name, of: object) {
    case .object(let id): [id.key]
    case .objects(let ids): ids.map(\.key)
    default: []
    }
  }

  func data(_ value: DatabaseValue, at place: [DatabaseValue]) throws -> DatabaseValue {
    try externalData.unmarked(value, at: place)
  }
}

/// Why a predicate has no answer for an object in memory.
public enum RecordEvaluationError: Error, Hashable, Sendable {
  /// The predicate needs a property that was not read.
  case notRead(String, of: RecordID)
}

extension RecordEvaluationError: CustomStringConvertible {
  /// The object, the property and what to do.
  public var description: String {
    switch self {
    case .notRead(let property, let object): "\(object): \(property) was not read; read it along with the object"
    }
  }
}
