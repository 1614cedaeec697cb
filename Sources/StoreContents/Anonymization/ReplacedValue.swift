import MappingModels
import MigrationSQL
import ModelDescription

/// The value that a rule gives all objects.
struct ReplacedValue {
  /// As its column keeps it.
  let stored: SQLValue

  /// Reads the text of a rule; nil for one that is no value of the attribute, or not one that it allows.
  init?(_ text: String, for attribute: AttributeDescription) {
    let rules = attribute.validation
    guard let value = try? AttributeValue.parse(text, as: attribute.type) else { return nil }
    switch value {
    case .string(let text):
      let length = Double(text.utf16.count)
      guard NumberLimits.allow(length, rules) else { return nil }
      if let pattern = rules.regularExpression, !RegularExpressions().matchesWhole(text, pattern) { return nil }
      stored = .text(text)
    case .uri(let text): stored = .text(text)
    case .integer(let number):
      guard NumberLimits.allow(Double(number), rules) else { return nil }
      stored = .integer(number)
    case .boolean(let flag): stored = .integer(flag ? 1 : 0)
    case .double(let number), .date(let number):
      guard NumberLimits.allow(number, rules) else { return nil }
      stored = .real(number)
    case .decimal, .binary, .uuid: return nil
    }
  }
}
