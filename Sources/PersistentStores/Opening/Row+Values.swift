import Foundation
import GRDB

/// A hostile file may hold any type in any column, so values are asked for and never assumed.
extension Row {
  /// The value of a column when it is an integer, or a real number without a fraction.
  func integer(_ position: Int) -> Int64? {
    switch storage(position) {
    case .int64(let value)?: value
    case .double(let value)?: Int64(exactly: value)
    default: nil
    }
  }

  /// The value of a column when it is text.
  func text(_ position: Int) -> String? {
    guard case .string(let value)? = storage(position) else { return nil }
    return value
  }

  /// The value of a column when it is a blob.
  func blob(_ position: Int) -> Data? {
    guard case .blob(let value)? = storage(position) else { return nil }
    return value
  }

  private func storage(_ position: Int) -> DatabaseValue.Storage? {
    guard position < count else { return nil }
    let value: DatabaseValue = self[position]
    return value.storage
  }
}
