import Foundation
package import MigrationSQL
import ModelDescription
import PersistentStores

/// Values as a store's columns keep them.
package enum RecordEncoding {
  /// A value for a column.
  ///
  /// - Parameters:
  ///   - value: an attribute's value, or an object at the other end of a to-one relationship, which is its key.
  ///   - isMarked: true where a byte before binary data says where it lies.
  /// - Returns: the value; a composite one has no column of its own.
  package static func stored(_ value: RecordValue, isMarked: Bool) -> SQLValue {
    switch value {
    case .null, .composite, .objects: .null
    case .attribute(.binary(let data)), .transformed(let data):
      isMarked ? .blob([1] + data) : .blob(Array(data))
    // Core Data binds the digits, and leaves the number that they are to the column.
    case .attribute(.decimal(let number)) where number.isNaN: .text("NaN")
    case .attribute(let value): SQLValue(value)
    case .external(let reference): .blob(Array(reference))
    case .object(let id): .integer(id.key)
    }
  }
}
