import ModelDescription

/// Reads an `<entity>` and everything in it.
enum EntityReader {
  static func entity(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> EntityDescription {
    var reader = MarkupAttributes(element)
    var entity = EntityDescription(name: try reader.name())
    record.declare(.entity(entity.name), element)
    entity.className = reader.filledText("representedClassName")
    entity.superentityName = reader.filledText("parentEntity")
    entity.isAbstract = reader.flag("isAbstract")
    entity.isSyncable = reader.flag("syncable")
    entity.codeGeneration = reader.text("codeGenerationType")
    let elementID = reader.filledText("elementID")
    entity.renamingIdentifier = reader.filledText("renamingIdentifier") ?? elementID
    entity.versionHashModifier = reader.filledText("versionHashModifier")
    entity.attributes.reserveCapacity(element.children.count)
    for child in element.children { try read(child, in: element, into: &entity, &record) }
    reader.finish(&record)
    return entity
  }

  private static func read(
    _ child: MarkupElement, in element: MarkupElement, into entity: inout EntityDescription,
    _ record: inout ContentsRecord
  ) throws(ModelFileError) {
    switch child.name {
    case "attribute":
      let attribute = try AttributeReader.attribute(child, &record)
      record.declare(.property(entity: entity.name, name: attribute.name), child)
      entity.attributes.append(attribute)
    case "relationship":
      let relationship = try RelationshipReader.relationship(child, &record)
      record.declare(.property(entity: entity.name, name: relationship.name), child)
      entity.relationships.append(relationship)
    case "fetchedProperty":
      let property = try FetchRequestReader.fetchedProperty(child, &record)
      record.declare(.property(entity: entity.name, name: property.name), child)
      entity.fetchedProperties.append(property)
    case "fetchIndex":
      let index = try IndexReader.fetchIndex(child, &record)
      record.declare(.fetchIndex(entity: entity.name, name: index.name), child)
      entity.fetchIndexes.append(index)
    case "compoundIndexes":
      for (group, values) in IndexReader.groups(in: child, named: "compoundIndex", of: "index", &record) {
        record.declare(.compoundIndex(entity: entity.name, position: entity.compoundIndexes.count), group)
        entity.compoundIndexes.append(values)
      }
    case "uniquenessConstraints":
      for (group, values) in IndexReader.groups(in: child, named: "uniquenessConstraint", of: "constraint", &record) {
        record.declare(.uniquenessConstraint(entity: entity.name, position: entity.uniquenessConstraints.count), group)
        entity.uniquenessConstraints.append(values)
      }
    case "userInfo": entity.userInfo = UserInfoReader.entries(child, &record)
    default: record.noteUnknown(child, in: element)
    }
  }
}

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
    reader.complain("the delete rule “\(text)” is unknown and is read as Nullify")
    return .nullify
  }
}

/// Reads fetch indexes, compound indexes and uniqueness constraints.
enum IndexReader {
  static func fetchIndex(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> FetchIndexDescription {
    var reader = MarkupAttributes(element)
    var index = FetchIndexDescription(name: try reader.name(), elements: [])
    index.partialIndexPredicate = reader.filledText("partialIndexPredicate")
    for child in element.children {
      if child.name == "fetchIndexElement", let part = indexElement(child, &record) {
        index.elements.append(part)
      } else {
        record.noteUnknown(child, in: element)
      }
    }
    reader.finish(&record)
    return index
  }

  private static func indexElement(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) -> FetchIndexDescription.Element? {
    var reader = MarkupAttributes(element)
    let expression = reader.filledText("expression")
    reader.ignore(["expressionType"])
    guard
      let subject = reader.filledText("property").map(FetchIndexDescription.Element.Subject.property)
        ?? expression.map(FetchIndexDescription.Element.Subject.expression)
    else { return nil }
    var part = FetchIndexDescription.Element(subject: subject)
    switch reader.text("type") {
    case "Binary", nil: part.kind = .binary
    case "RTree": part.kind = .rTree
    case let type?: reader.complain("the index type “\(type)” is unknown and is read as Binary")
    }
    switch reader.text("order") {
    case "ascending", nil: part.isAscending = true
    case "descending": part.isAscending = false
    case let order?: reader.complain("the order “\(order)” is unknown and is read as ascending")
    }
    reader.finish(&record)
    return part
  }

  /// The groups of values that compound indexes and constraints are written in, each with its element.
  static func groups(
    in element: MarkupElement, named groupName: String, of valueName: String, _ record: inout ContentsRecord
  ) -> [(MarkupElement, [String])] {
    var groups: [(MarkupElement, [String])] = []
    for group in element.children {
      guard group.name == groupName else {
        record.noteUnknown(group, in: element)
        continue
      }
      var values: [String] = []
      for child in group.children {
        var reader = MarkupAttributes(child)
        guard child.name == valueName, let value = reader.text("value") else {
          record.noteUnknown(child, in: group)
          continue
        }
        values.append(value)
        reader.finish(&record)
      }
      groups.append((group, values))
    }
    return groups
  }
}
