import ArgumentParser
import Foundation
import ModelKit

/// The settings of a new relationship and its inverse.
struct RelationshipOptions: ParsableArguments {
  enum Count: String, EnumerableFlag {
    case toOne
    case toMany
  }

  enum InverseCount: String, EnumerableFlag {
    case inverseToOne
    case inverseToMany
  }

  @Option(name: .customLong("destination"), help: ArgumentHelp("Point to this entity.", valueName: "entity"))
  var destination: String

  @Flag(help: "Point to one object or to many objects.")
  var count: Count

  @Flag(help: "Allow no object, or require at least one.")
  var presence: Presence = .optional

  @Flag(help: "Keep the objects in an order.")
  var ordered = false

  @Option(
    name: .customLong("min"), parsing: .unconditional,
    help: ArgumentHelp("Require at least this number of objects.", valueName: "n"))
  var minimum: Int?

  @Option(
    name: .customLong("max"), parsing: .unconditional,
    help: ArgumentHelp("Allow at most this number of objects (default: no limit).", valueName: "n"))
  var maximum: Int?

  @Option(
    name: .customLong("delete-rule"),
    help: ArgumentHelp("Apply this rule if you delete the source object.", valueName: "rule"))
  var deleteRule: DeleteRuleName = DeleteRuleName(rule: .nullify)

  @Option(
    name: .long, help: ArgumentHelp("Use this inverse, and add it if the destination lacks it.", valueName: "name"))
  var inverse: String?

  @Flag(help: "Let an added inverse point to one object or to many.")
  var inverseCount: InverseCount?

  func validate() throws {
    guard (minimum ?? 0) >= 0, (maximum ?? 0) >= 0 else {
      throw ValidationError("--min and --max must not be negative")
    }
    let greatest = Int(Int32.max)
    guard (minimum ?? 0) <= greatest, (maximum ?? 0) <= greatest else {
      throw ValidationError("--min and --max must not be above \(greatest)")
    }
    if let minimum, let maximum, maximum > 0, minimum > maximum { throw ValidationError("--min is greater than --max") }
    if count == .toOne, maximum != nil || (minimum ?? 0) > 1 || ordered {
      throw ValidationError("--max, --ordered and a --min above 1 need --to-many")
    }
    if maximum == 1 { throw ValidationError("use --to-one instead of --max 1") }
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

/// The settings of a new attribute.
struct AttributeOptions: ParsableArguments {
  @Option(name: .long, help: "Set the type of the attribute.")
  var type: TypeName

  @Flag(help: "Allow an empty value, or require a value.")
  var presence: Presence = .optional

  @Option(name: .customLong("default"), help: ArgumentHelp("Give new objects this value.", valueName: "value"))
  var defaultValue: String?

  @Option(
    name: .customLong("min"),
    help: ArgumentHelp("Set the minimum value, or the minimum length of a string.", valueName: "value"))
  var minimum: String?

  @Option(
    name: .customLong("max"),
    help: ArgumentHelp("Set the maximum value, or the maximum length of a string.", valueName: "value"))
  var maximum: String?

  @Option(name: .long, help: ArgumentHelp("Require that a string matches this regular expression.", valueName: "regex"))
  var pattern: String?

  @Flag(help: "Do not store the attribute.")
  var transient = false

  @Flag(name: .customLong("external-storage"), help: "Let Core Data keep large values in files beside the store.")
  var externalStorage = false

  @Option(
    name: .long,
    help: ArgumentHelp("Derive the value from this expression, such as rows.@count.", valueName: "expression"))
  var derivation: String?

  @Option(name: .long, help: ArgumentHelp("Use this value transformer (Transformable only).", valueName: "name"))
  var transformer: String?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Set the class of the values (Transformable only).", valueName: "name"))
  var className: String?

  @Option(name: .long, help: ArgumentHelp("Use this composite type (Composite only).", valueName: "name"))
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
      throw ValidationError("--type \(type.name) does not support \(option), which is for \(types)")
    }
    if type == .composite, composite?.isEmpty != false {
      throw ValidationError("--type Composite needs --composite with the name of the composite type")
    }
    if let pattern, (try? NSRegularExpression(pattern: pattern)) == nil {
      throw ValidationError("--pattern \(pattern): not a valid regular expression")
    }
  }

  /// The attribute.
  ///
  /// - Throws: ``CommandError/badValue(option:text:_:)``, and `ValidationError` for contradictory limits.
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
