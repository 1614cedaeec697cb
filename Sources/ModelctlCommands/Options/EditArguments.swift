import ArgumentParser
import ModelKit

/// A property with its entity, such as `Order.note`.
struct PropertyName: ExpressibleByArgument {
  let entity: String
  let name: String

  init?(argument: String) {
    guard let dot = argument.firstIndex(of: "."), dot != argument.startIndex else { return nil }
    (entity, name) = (String(argument[..<dot]), String(argument[argument.index(after: dot)...]))
    if name.isEmpty { return nil }
  }
}

/// An entity, or a property as `Entity.name`.
struct ElementArgument: ExpressibleByArgument {
  let element: ModelElement

  init?(argument: String) {
    if argument.isEmpty { return nil }
    if let property = PropertyName(argument: argument) {
      element = .property(entity: property.entity, name: property.name)
    } else {
      element = .entity(argument)
    }
  }
}

/// An attribute type, in upper or lower case, with or without its space.
struct TypeName: ExpressibleByArgument {
  static let types = AttributeType.known.filter { $0 != .undefined && $0 != .objectID }

  private let text: String

  init?(argument: String) { text = argument }

  /// The type.
  ///
  /// - Throws: `ValidationError` with similar types if the text is not a type.
  var type: AttributeType {
    get throws {
      func key(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
      if let type = Self.types.first(where: { key($0.name) == key(text) }) { return type }
      throw ValidationError("“\(text)” is not a type\(NameAdvice.text(for: text, among: Self.types.map(\.name)))")
    }
  }

  static var allValueStrings: [String] { types.map(\.name) }
}

/// A delete rule as one word, such as `no-action`.
struct DeleteRuleName: ExpressibleByArgument {
  let rule: DeleteRule

  init(rule: DeleteRule) { self.rule = rule }

  init?(argument: String) {
    guard let rule = DeleteRule.allCases.first(where: { Self.word($0) == argument.lowercased() }) else { return nil }
    self.rule = rule
  }

  static var allValueStrings: [String] { DeleteRule.allCases.map(word) }

  var defaultValueDescription: String { Self.word(rule) }

  private static func word(_ rule: DeleteRule) -> String { rule.name.lowercased().replacing(" ", with: "-") }
}

/// The choice between an optional and a required value.
enum Presence: String, EnumerableFlag {
  case optional
  case required
}
