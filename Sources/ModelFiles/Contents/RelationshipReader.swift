import ModelDescription

/// Reads a `<relationship>`.
enum RelationshipReader {
  static func relationship(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> RelationshipDescription {
    var reader = MarkupAttributes(element)
    var relationship = RelationshipDescription(
      name: try reader.name(), destinationEntityName: reader.filledText("destinationEntity"))
    relationship.inverseName = reader.filledText("inverseName")
    relationship.inverseEntityName = reader.filledText("inverseEntity")
    relationship.isOptional = reader.flag("optional")
    relationship.isTransient = reader.flag("transient")
    relationship.isOrdered = reader.flag("ordered")
    relationship.isIndexed = reader.flag("indexed")
    relationship.isSyncable = reader.flag("syncable")
    relationship.minCount = reader.count("minCount") ?? 0
    let maxCount = reader.count("maxCount")
    relationship.maxCount = reader.flag("toMany") ? maxCount ?? 0 : 1
    relationship.deleteRule = deleteRule(&reader)
    let elementID = reader.filledText("elementID")
    relationship.renamingIdentifier = reader.filledText("renamingIdentifier") ?? elementID
    relationship.versionHashModifier = reader.filledText("versionHashModifier")
    reader.ignore(["storedInTruthFile"])
    relationship.userInfo = UserInfoReader.only(in: element, &record)
    reader.finish(&record)
    return relationship
  }

  private static func deleteRule(_ reader: inout MarkupAttributes) -> DeleteRule {
    let current = reader.filledText("deletionRule")
    let older = reader.filledText("deleteRule")
    guard let text = current ?? older else { return .nullify }
    if let rule = DeleteRule.allCases.first(where: { $0.name == text }) { return rule }
    reader.complain("the delete rule “\(text)” is unknown and counts as Nullify")
    return .nullify
  }
}
