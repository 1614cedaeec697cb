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
      reader.complain("derived, but without a derivationExpression; it is read as an ordinary attribute")
    case (false, .some):
      reader.complain("a derivationExpression without derived=“YES” has no effect")
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
      reader.complain("\(dateKey)=“\(interval)” is no value of type \(type.name) and is left out")
      return nil
    }
    guard let text else { return nil }
    if let value = AttributeText.value(of: text, as: type) { return value }
    reader.complain("\(key)=“\(text)” is no value of type \(type.name) and is left out")
    return nil
  }
}
