import Foundation
public import ModelDescription

extension SQLValue {
  /// A value of an attribute as Core Data stores it; binary data without the marker of external storage.
  ///
  /// Source: the table of types in the description of Core Data's SQLite layout.
  public init(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .decimal(let number): self = .text(number.description)
    case .double(let number), .date(let number): self = .real(number)
    case .string(let text), .uri(let text): self = .text(text)
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .binary(let data): self = .blob(Array(data))
    case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    }
  }
}
