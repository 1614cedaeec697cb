import Foundation
import ModelDescription

extension SwiftAttributeCode {
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
