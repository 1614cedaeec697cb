public import MappingModels
public import ModelDescription

/// Why a setting of an element cannot have a value.
public enum SettingError: Error, Hashable, Sendable {
  /// The setting is given a second time.
  case repeated
  /// Attributes of this type have no such setting.
  case unsuitable(AttributeType)
  case noRegularExpression
  /// A relationship to one object would be ordered.
  case orderedToOne
  case noFlag
  /// It is none of the rules; which there are.
  case noDeleteRule(known: [String])
  /// It is no value of the attribute's type.
  case noValue(AttributeValueParseError)
  /// A contents file holds no value of this type.
  case unwritable(AttributeType)
  case noCount
  /// The least number is above the greatest.
  case reversedCount
  /// The greatest number is 1, which has a word of its own.
  case countOfOne
}

extension SettingError: CustomStringConvertible {
  /// The cause, and what is taken instead.
  public var description: String {
    switch self {
    case .repeated: "it is set twice"
    case .unsuitable(let type): "attributes of type \(type.name) have none"
    case .noRegularExpression: "it is no regular expression"
    case .orderedToOne: "only a relationship to many is ordered; set count=many, or ordered=no"
    case .noFlag: "it takes yes or no"
    case .noDeleteRule(let known): "it takes \(known.joined(separator: ", "))"
    case .noValue(let error): "it is no value of type \(error.type.name): \(error.accepted)"
    case .unwritable(let type): "a contents file holds no value of type \(type.name)"
    case .noCount: "it takes one, many, or the least and the greatest number: 2..5, 1.., ..5"
    case .reversedCount: "the least number is above the greatest"
    case .countOfOne: "a relationship to one object is count=one"
    }
  }
}
