import Foundation
import GRDB
import ModelDescription

extension AttributeValue {
  /// A value as a column keeps it, binary data without the mark of external storage; nil when it is none of its type.
  init?(stored value: DatabaseValue, as type: AttributeType) {
    switch (type, value.storage) {
    case (.boolean, .int64(let number)): self = .boolean(number != 0)
    case (.integer16, .int64(let number)), (.integer32, .int64(let number)), (.integer64, .int64(let number)):
      self = .integer(number)
    case (.decimal, .int64(let number)): self = .decimal(Decimal(number))
    case (.decimal, .double(let number)): self = .decimal(Decimal(string: "\(number)") ?? Decimal(number))
    case (.decimal, .string(let text)):
      guard let number = Decimal(string: text) else { return nil }
      self = .decimal(number)
    case (.double, .double(let number)), (.float, .double(let number)): self = .double(number)
    case (.double, .int64(let number)), (.float, .int64(let number)): self = .double(Double(number))
    case (.date, .double(let seconds)): self = .date(seconds)
    case (.date, .int64(let seconds)): self = .date(Double(seconds))
    case (.string, .string(let text)): self = .string(text)
    case (.uri, .string(let text)): self = .uri(text)
    case (.binary, .blob(let data)), (.transformable, .blob(let data)): self = .binary(data)
    case (.binary, .string(let text)), (.transformable, .string(let text)): self = .binary(Data(text.utf8))
    case (.uuid, .blob(let data)):
      guard data.count == 16 else { return nil }
      let bytes = Array(data)
      self = .uuid(
        UUID(
          uuid: (
            bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
            bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
          )))
    default: return nil
    }
  }

  /// A value of no stated type, by the form it has in SQLite.
  init?(untyped value: DatabaseValue) {
    switch value.storage {
    case .null: return nil
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .blob(let data): self = .binary(data)
    }
  }
}
