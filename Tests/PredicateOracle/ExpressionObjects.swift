import GRDB
import MigrationSQL
import ModelDescription

/// An object in memory, by what names its row.
struct EvaluatedObject: Hashable, Sendable {
  /// The entity at the root of the object's, in whose table the key is unique.
  let root: String
  /// The key of its row.
  let key: Int64

  /// Names an object.
  init(root: String, key: Int64) { (self.root, self.key) = (root, key) }
}

/// Objects in memory that an expression is evaluated over.
protocol ExpressionObjects {
  /// True for an object that is there.
  func contains(_ object: EvaluatedObject) -> Bool
  /// The value of an attribute, or of an element of a composite one, as a store keeps it; external data has its mark.
  func value(ofAttribute path: String, of object: EvaluatedObject) throws -> DatabaseValue
  /// The keys of the objects of a relationship, those among them too that are not there.
  func keys(along relationship: RelationshipDescription, of object: EvaluatedObject) throws -> [Int64]
  /// Binary data without the mark of external storage; a failure names the place.
  func data(_ value: DatabaseValue, at place: [DatabaseValue]) throws -> DatabaseValue
}
