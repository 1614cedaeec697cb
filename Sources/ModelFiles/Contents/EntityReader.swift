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
        record.declare(
          .uniquenessConstraint(entity: entity.name, position: entity.uniquenessConstraints.count), group)
        entity.uniquenessConstraints.append(values)
      }
    case "userInfo": entity.userInfo = UserInfoReader.entries(child, &record)
    default: record.noteUnknown(child, in: element)
    }
  }
}
