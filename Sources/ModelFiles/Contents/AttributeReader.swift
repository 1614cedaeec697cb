import Foundation
import ModelDescription

/// Reads an `<attribute>` of an entity or of a composite type.
enum AttributeReader {
  static func attribute(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> AttributeDescription {
    var reader = MarkupAttributes(element)
    let type = reader.filledText("attributeType").map(AttributeType.init(name:)) ?? .undefined
    var attribute = AttributeDescription(name: try reader.name(), type: type)
    attribute.isOptional = reader.flag("optional")
    attribute.isTransient = reader.flag("transient")
    attribute.isIndexed = reader.flag("indexed")
    attribute.isSyncable = reader.flag("syncable")
    attribute.isIndexedBySpotlight = reader.flag("spotlightIndexingEnabled")
    attribute.usesScalarValueType = reader.optionalFlag("usesScalarValueType")
    attribute.allowsExternalBinaryDataStorage = reader.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = reader.flag("preserveAfterDeletion")
    attribute.allowsCloudEncryption = reader.flag("allowsCloudEncryption")
    attribute.valueTransformerName = reader.filledText("valueTransformerName")
    attribute.valueClassName = reader.filledText("customClassName")
    attribute.compositeName = reader.filledText("composite")
    let elementID = reader.filledText("elementID")
    attribute.renamingIdentifier = reader.filledText("renamingIdentifier") ?? elementID
    attribute.versionHashModifier = reader.filledText("versionHashModifier")
    attribute.derivation = derivation(&reader)
    attribute.defaultValue = value(&reader, "defaultValueString", "defaultDateTimeInterval", type: type)
    attribute.validation = AttributeValidation(
      minimum: bound(&reader, "minValueString", "minDateTimeInterval", type: type),
      maximum: bound(&reader, "maxValueString", "maxDateTimeInterval", type: type),
      regularExpression: reader.filledText("regularExpressionString")
    )
    reader.ignore(["storedInTruthFile", "isSyncIdentityProperty"])
    attribute.userInfo = UserInfoReader.only(in: element, &record)
    reader.finish(&record)
    return attribute
  }

  private static func derivation(_ reader: inout MarkupAttributes) -> Derivation? {
    let isDerived = reader.flag("derived")
    let expression = reader.filledText("derivationExpression")
    switch (isDerived, expression) {
    case (true, let expression?): return Derivation(expression: expression)
    case (true, nil):
      reader.complain("it is derived but has no derivationExpression, and is read as an ordinary attribute")
    case (false, .some): reader.complain("a derivationExpression without derived=“YES” has no effect")
    case (false, nil): break
    }
    return nil
  }

  /// A bound of a string is a length; any other bound has the attribute's type.
  private static func bound(
    _ reader: inout MarkupAttributes, _ key: String, _ dateKey: String, type: AttributeType
  ) -> AttributeValue? {
    value(&reader, key, dateKey, type: type == .string ? .integer64 : type)
  }

  private static func value(
    _ reader: inout MarkupAttributes, _ key: String, _ dateKey: String, type: AttributeType
  ) -> AttributeValue? {
    let text = reader.text(key)
    if let interval = reader.text(dateKey) {
      if type == .date, let seconds = Double(interval), seconds.isFinite { return .date(seconds) }
      reader.complain("\(dateKey)=“\(interval)” is not a valid \(type.name) and is ignored")
      return nil
    }
    guard let text else { return nil }
    if let value = AttributeText.value(of: text, as: type) { return value }
    reader.complain("\(key)=“\(text)” is not a valid \(type.name) and is ignored")
    return nil
  }
}

/// Reads an attribute's value from the text that model files and the editor's archives keep it in.
enum AttributeText {
  /// The value; nil if the text is not a value of this type.
  static func value(of text: String, as type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: integer(text).map { .integer($0) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .double, .float: number(text).map { .double($0) }
    case .string: .string(text)
    case .boolean: (MarkupAttributes.flag(text) ?? number(text).map { $0 != 0 }).map { .boolean($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .uri(text)
    case .date, .binary, .undefined, .transformable, .objectID, .composite, .unrecognized: nil
    }
  }

  /// Xcode writes whole numbers as `0` and, after a change of type, sometimes as `0.0`, or as `NO`, which compiles
  /// to 0 (seen in cached models of stores).
  private static func integer(_ text: String) -> Int64? {
    if text == "NO" { return 0 }
    return Int64(text) ?? number(text).flatMap { Int64(exactly: $0) }
  }

  private static func number(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  private static func decimal(_ text: String) -> Decimal? {
    guard number(text) != nil else { return nil }
    return Decimal(string: text)
  }

  static let givenTypes: [AttributeType] = AttributeType.known.filter { $0 != .undefined && $0 != .objectID }
}
