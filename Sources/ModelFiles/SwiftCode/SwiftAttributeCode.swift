import Foundation
import ModelDescription

/// An attribute in the words of ``Attribute``, or as a plain value where those do not fit it.
struct SwiftAttributeCode {
  let attribute: AttributeDescription
  /// The scalar setting of an attribute whose line does not state it.
  var scalarValues = ScalarValues.whereXcodeDoes
  var isSyncableByDefault = false

  var line: String {
    guard let kind, let value = typedDefault, let bounds, fits else { return plain }
    let modifiers = flags + bounds + identity
    return "Attribute(\(SwiftLiteral.string(attribute.name)), \(kind)\(value))" + modifiers.joined()
  }

  /// False for what the type of the attribute does not go with.
  private var fits: Bool {
    if attribute.allowsExternalBinaryDataStorage, ![.binary, .transformable].contains(attribute.type) { return false }
    if attribute.validation.regularExpression != nil, attribute.type != .string { return false }
    if attribute.type != .composite, attribute.compositeName != nil || !attribute.elements.isEmpty { return false }
    return attribute.type == .transformable
      || attribute.valueClassName == nil && attribute.valueTransformerName == nil
  }

  private var kind: String? {
    switch attribute.type {
    case .transformable:
      let parts = [
        attribute.valueClassName.map { "class: \(SwiftLiteral.string($0))" },
        attribute.valueTransformerName.map { "transformer: \(SwiftLiteral.string($0))" },
      ].compactMap { $0 }
      return parts.isEmpty ? ".transformable" : ".transformable(\(parts.joined(separator: ", ")))"
    case .composite: return attribute.compositeName.map { ".composite(\(SwiftLiteral.string($0)))" }
    default: return Self.name(of: attribute.type)
    }
  }

  private var typedDefault: String? {
    guard let value = attribute.defaultValue else { return "" }
    return typed(value).map { ", default: \($0)" }
  }

  /// The calls of the validation; nil if the type does not support it.
  private var bounds: [String]? {
    let validation = attribute.validation
    var calls: [String] = []
    for (bound, value) in [("minimum", validation.minimum), ("maximum", validation.maximum)] {
      guard let value else { continue }
      switch (attribute.type, value) {
      case (.string, .integer(let length)): calls.append(".\(bound)Length(\(length))")
      case (.integer16, _), (.integer32, _), (.integer64, _), (.decimal, _), (.double, _), (.float, _), (.date, _):
        guard let literal = typed(value) else { return nil }
        calls.append(".\(bound)(\(literal))")
      default: return nil
      }
    }
    if let expression = validation.regularExpression {
      calls.append(".regularExpression(\(SwiftLiteral.string(expression)))")
    }
    return calls
  }

  private var flags: [String] {
    var calls: [String] = []
    if attribute.isOptional { calls.append(".optional()") }
    if attribute.isTransient { calls.append(".transient()") }
    if let derivation = attribute.derivation {
      let filter = derivation.filterPredicate.map { ", where: \(SwiftLiteral.string($0))" } ?? ""
      calls.append(".derived(from: \(SwiftLiteral.string(derivation.expression))\(filter))")
    }
    if attribute.allowsExternalBinaryDataStorage { calls.append(".allowsExternalBinaryDataStorage()") }
    if attribute.preservesValueInHistoryOnDeletion { calls.append(".preservesValueInHistoryOnDeletion()") }
    if attribute.allowsCloudEncryption { calls.append(".allowsCloudEncryption()") }
    if attribute.isIndexed { calls.append(".indexed()") }
    if attribute.isIndexedBySpotlight { calls.append(".indexedBySpotlight()") }
    return calls
  }

  private var identity: [String] {
    var calls: [String] = []
    if let identifier = attribute.renamingIdentifier {
      calls.append(".renamingIdentifier(\(SwiftLiteral.string(identifier)))")
    }
    if let modifier = attribute.versionHashModifier {
      calls.append(".versionHashModifier(\(SwiftLiteral.string(modifier)))")
    }
    if !attribute.userInfo.isEmpty { calls.append(".userInfo(\(SwiftLiteral.dictionary(attribute.userInfo)))") }
    if attribute.usesScalarValueType != scalarValues.flag(for: attribute.type) {
      calls.append(".usesScalarValueType(\(attribute.usesScalarValueType.map { "\($0)" } ?? "nil"))")
    }
    if attribute.isSyncable != isSyncableByDefault {
      calls.append(attribute.isSyncable ? ".syncable()" : ".syncable(false)")
    }
    return calls
  }

  /// A value as the type of the attribute takes it; nil if it takes none of its kind.
  private func typed(_ value: AttributeValue) -> String? {
    switch (attribute.type, value) {
    case (.integer16, .integer(let number)): Int16(exactly: number).map { "\($0)" }
    case (.integer32, .integer(let number)): Int32(exactly: number).map { "\($0)" }
    case (.integer64, .integer(let number)): "\(number)"
    case (.double, .double(let number)), (.float, .double(let number)): SwiftLiteral.number(number)
    case (.decimal, .decimal(let number)): Self.constant(number)
    case (.string, .string(let text)), (.uri, .uri(let text)): SwiftLiteral.string(text)
    case (.boolean, .boolean(let flag)): "\(flag)"
    case (.date, .date(let seconds)): "Date(timeIntervalSinceReferenceDate: \(SwiftLiteral.number(seconds)))"
    case (.binary, .binary(let data)): SwiftLiteral.data(data)
    case (.uuid, .uuid(let uuid)): "UUID(uuidString: \(SwiftLiteral.string(uuid.uuidString)))"
    default: nil
    }
  }

  /// A literal if it has the exact value of the number, or the number as text.
  private static func constant(_ number: Decimal) -> String {
    let text = "\(number)"
    if let integer = Int64(text) { return "\(integer)" }
    guard let value = Double(text), !value.isSubnormal, Decimal(string: "\(value)") == number else {
      return number.isNaN ? "DecimalConstant(.nan)" : "DecimalConstant(\(SwiftLiteral.string(text)))"
    }
    return "\(value)"
  }

  static func name(of type: AttributeType) -> String {
    switch type {
    case .undefined: ".undefined"
    case .integer16: ".integer16"
    case .integer32: ".integer32"
    case .integer64: ".integer64"
    case .decimal: ".decimal"
    case .double: ".double"
    case .float: ".float"
    case .string: ".string"
    case .boolean: ".boolean"
    case .date: ".date"
    case .binary: ".binary"
    case .uuid: ".uuid"
    case .uri: ".uri"
    case .transformable: ".transformable"
    case .objectID: ".objectID"
    case .composite: ".composite"
    case .unrecognized(let name): ".unrecognized(\(SwiftLiteral.string(name)))"
    }
  }

  /// The attribute as a value, with every argument that differs from its default.
  var plain: String {
    var arguments = [
      "name: \(SwiftLiteral.string(attribute.name))", "type: \(Self.name(of: attribute.type))",
    ]
    if attribute.isOptional { arguments.append("isOptional: true") }
    if attribute.isTransient { arguments.append("isTransient: true") }
    if let value = attribute.defaultValue { arguments.append("defaultValue: \(Self.plain(value))") }
    if attribute.validation != AttributeValidation() { arguments.append("validation: \(validation)") }
    if attribute.allowsExternalBinaryDataStorage { arguments.append("allowsExternalBinaryDataStorage: true") }
    if attribute.preservesValueInHistoryOnDeletion { arguments.append("preservesValueInHistoryOnDeletion: true") }
    if attribute.allowsCloudEncryption { arguments.append("allowsCloudEncryption: true") }
    if attribute.isIndexed { arguments.append("isIndexed: true") }
    if attribute.isIndexedBySpotlight { arguments.append("isIndexedBySpotlight: true") }
    if let name = attribute.valueTransformerName {
      arguments.append("valueTransformerName: \(SwiftLiteral.string(name))")
    }
    if let name = attribute.valueClassName { arguments.append("valueClassName: \(SwiftLiteral.string(name))") }
    if let flag = attribute.usesScalarValueType { arguments.append("usesScalarValueType: \(flag)") }
    if let derivation = attribute.derivation { arguments.append("derivation: \(Self.plain(derivation))") }
    if let name = attribute.compositeName { arguments.append("compositeName: \(SwiftLiteral.string(name))") }
    // The elements of a named composite are looked up when the model is made.
    if !attribute.elements.isEmpty, attribute.compositeName == nil {
      let elements = attribute.elements.map { SwiftAttributeCode(attribute: $0).plain }
      arguments.append("elements: [\(elements.joined(separator: ", "))]")
    }
    arguments += SwiftPropertyCode.identity(
      attribute.renamingIdentifier, attribute.versionHashModifier, attribute.userInfo, attribute.isSyncable)
    return "AttributeDescription(\(arguments.joined(separator: ", ")))"
  }

  private var validation: String {
    let validation = attribute.validation
    let arguments = [
      validation.minimum.map { "minimum: \(Self.plain($0))" },
      validation.maximum.map { "maximum: \(Self.plain($0))" },
      validation.regularExpression.map { "regularExpression: \(SwiftLiteral.string($0))" },
    ]
    return "AttributeValidation(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
  }

  private static func plain(_ derivation: Derivation) -> String {
    let filter = derivation.filterPredicate.map { ", filterPredicate: \(SwiftLiteral.string($0))" } ?? ""
    return "Derivation(expression: \(SwiftLiteral.string(derivation.expression))\(filter))"
  }

  private static func plain(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let number): ".integer(\(number))"
    case .decimal(let number) where number.isNaN: ".decimal(.nan)"
    case .decimal(let number): "Decimal(string: \(SwiftLiteral.string("\(number)"))).map(AttributeValue.decimal)"
    case .double(let number): ".double(\(SwiftLiteral.number(number)))"
    case .string(let text): ".string(\(SwiftLiteral.string(text)))"
    case .boolean(let flag): ".boolean(\(flag))"
    case .date(let seconds): ".date(\(SwiftLiteral.number(seconds)))"
    case .binary(let data) where data.isEmpty: ".binary(Data())"
    case .binary(let data): "\(SwiftLiteral.data(data)).map(AttributeValue.binary)"
    case .uuid(let uuid): "UUID(uuidString: \(SwiftLiteral.string(uuid.uuidString))).map(AttributeValue.uuid)"
    case .uri(let text): ".uri(\(SwiftLiteral.string(text)))"
    }
  }
}
