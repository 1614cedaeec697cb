import ArgumentParser
import Foundation
import ModelKit

/// What a new relationship and its inverse are.
struct RelationshipOptions: ParsableArguments {
  enum Count: String, EnumerableFlag {
    case toOne
    case toMany
  }

  enum InverseCount: String, EnumerableFlag {
    case inverseToOne
    case inverseToMany
  }

  @Option(name: .customLong("to"), help: ArgumentHelp("The entity at the other end.", valueName: "entity"))
  var destination: String

  @Flag(help: "How many objects it leads to.")
  var count: Count

  @Flag(help: "Whether it may lead to none.")
  var presence: Presence = .optional

  @Flag(help: "The objects have an order.")
  var ordered = false

  @Option(
    name: .customLong("min"), parsing: .unconditional,
    help: ArgumentHelp("The least number of objects.", valueName: "n"))
  var minimum: Int?

  @Option(
    name: .customLong("max"), parsing: .unconditional,
    help: ArgumentHelp("The greatest number of objects.", valueName: "n"))
  var maximum: Int?

  @Option(
    name: .customLong("delete-rule"),
    help: ArgumentHelp("nullify, cascade, deny or no-action.", valueName: "rule"))
  var deleteRule: DeleteRuleName = DeleteRuleName(rule: .nullify)

  @Option(name: .long, help: ArgumentHelp("The relationship back.", valueName: "name"))
  var inverse: String?

  @Flag(help: "How many objects an inverse that is added leads to.")
  var inverseCount: InverseCount?

  func validate() throws {
    guard (minimum ?? 0) >= 0, (maximum ?? 0) >= 0 else {
      throw ValidationError("--min and --max take no negative number")
    }
    let greatest = Int(Int32.max)
    guard (minimum ?? 0) <= greatest, (maximum ?? 0) <= greatest else {
      throw ValidationError("--min and --max take no number above \(greatest)")
    }
    if let minimum, let maximum, maximum > 0, minimum > maximum { throw ValidationError("--min is greater than --max") }
    if count == .toOne, maximum != nil || (minimum ?? 0) > 1 || ordered {
      throw ValidationError("--max, --ordered and a --min above 1 are for --to-many")
    }
    if maximum == 1 { throw ValidationError("--max 1 is --to-one") }
    if inverse == nil, inverseCount != nil { throw ValidationError("name the inverse with --inverse") }
  }

  func relationship(named name: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, isOptional: presence == .optional,
      minCount: minimum ?? 0, maxCount: count == .toOne ? 1 : maximum ?? 0, isOrdered: ordered,
      deleteRule: deleteRule.rule)
  }

  func inverse(to entity: String) -> RelationshipDescription? {
    let isToMany = inverseCount.map { $0 == .inverseToMany } ?? (count == .toOne)
    return inverse.map {
      RelationshipDescription(name: $0, destinationEntityName: entity, isOptional: true, maxCount: isToMany ? 0 : 1)
    }
  }
}

/// What a new attribute is.
struct AttributeOptions: ParsableArguments {
  @Option(name: .long, help: "String, Integer 64, Boolean, Date and so on.")
  var type: TypeName

  @Flag(help: "Whether the value may be absent.")
  var presence: Presence = .optional

  @Option(name: .customLong("default"), help: ArgumentHelp("The value of new objects.", valueName: "value"))
  var defaultValue: String?

  @Option(name: .customLong("min"), help: ArgumentHelp("The least value, or length of a string.", valueName: "value"))
  var minimum: String?

  @Option(
    name: .customLong("max"), help: ArgumentHelp("The greatest value, or length of a string.", valueName: "value"))
  var maximum: String?

  @Option(name: .long, help: ArgumentHelp("The regular expression that a string must match.", valueName: "regex"))
  var pattern: String?

  @Flag(help: "It is not stored.")
  var transient = false

  @Flag(name: .customLong("external-storage"), help: "Large values are kept in files beside the store.")
  var externalStorage = false

  @Option(name: .long, help: ArgumentHelp("What it is derived from, such as rows.@count.", valueName: "expression"))
  var derivation: String?

  @Option(name: .long, help: ArgumentHelp("The transformer of a Transformable.", valueName: "name"))
  var transformer: String?

  @Option(name: .customLong("class"), help: ArgumentHelp("The class of a Transformable's values.", valueName: "name"))
  var className: String?

  @Option(name: .long, help: ArgumentHelp("The type of a Composite.", valueName: "name"))
  var composite: String?

  func validate() throws {
    let type = try type.type
    let given: [(option: String, setting: AttributeSetting, isGiven: Bool)] = [
      ("--min", .minimum, minimum != nil), ("--max", .maximum, maximum != nil),
      ("--pattern", .regularExpression, pattern != nil), ("--external-storage", .externalStorage, externalStorage),
      ("--transformer", .transformer, transformer != nil), ("--class", .valueClass, className != nil),
      ("--composite", .composite, composite != nil),
    ]
    for (option, setting, isGiven) in given where isGiven && !setting.suits(type) {
      let types = TypeName.types.filter(setting.suits).map(\.name).joined(separator: ", ")
      throw ValidationError("\(option) does not go with --type \(type.name); it is for \(types)")
    }
    if type == .composite, composite?.isEmpty != false {
      throw ValidationError("--type Composite needs the name of the composite type, with --composite")
    }
    if let pattern, (try? NSRegularExpression(pattern: pattern)) == nil {
      throw ValidationError("--pattern \(pattern): is no regular expression")
    }
  }

  /// The attribute.
  ///
  /// - Throws: ``CommandError/badValue(option:text:_:)``, and `ValidationError` for limits that contradict.
  func attribute(named name: String) throws -> AttributeDescription {
    let type = try type.type
    var attribute = AttributeDescription(name: name, type: type, isOptional: presence == .optional)
    attribute.isTransient = transient
    attribute.defaultValue = try value("--default", defaultValue, type)
    let boundType = type == .string ? .integer64 : type
    attribute.validation = AttributeValidation(
      minimum: try value("--min", minimum, boundType), maximum: try value("--max", maximum, boundType),
      regularExpression: pattern)
    switch attribute.limitContradiction {
    case .minimumAboveMaximum: throw ValidationError("--min is greater than --max")
    case .defaultBelowMinimum: throw ValidationError("--default is below --min")
    case .defaultAboveMaximum: throw ValidationError("--default is above --max")
    case nil: break
    }
    attribute.allowsExternalBinaryDataStorage = externalStorage
    attribute.derivation = derivation.map { Derivation(expression: $0) }
    attribute.valueTransformerName = transformer
    attribute.valueClassName = className
    attribute.compositeName = composite
    attribute.usesScalarValueType = type.usesScalarByDefault
    return attribute
  }

  private func value(_ option: String, _ text: String?, _ type: AttributeType) throws -> AttributeValue? {
    guard let text else { return nil }
    do {
      return try AttributeValue.parse(text, as: type)
    } catch {
      throw CommandError.badValue(option: option, text: text, error)
    }
  }
}
