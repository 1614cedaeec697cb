import ModelDescription

/// Reads an archived `NSEntityDescription`.
enum CompiledEntityReader {
  static func entity(_ object: ArchivedObject, name: String, notes: inout [String]) -> EntityDescription {
    var entity = EntityDescription(name: object["NSEntityName"]?.filledString ?? name)
    let className = object["NSClassNameForEntity"]?.filledString
    entity.className = className == "NSManagedObject" ? nil : className
    entity.superentityName = object["NSSuperentity"]?["NSEntityName"]?.filledString
    entity.isAbstract = object.flag("NSIsAbstract")
    entity.versionHashModifier = object["NSVersionHashModifier"]?.filledString
    let identifier = object["NSRenamingIdentifier"]?.filledString
    entity.renamingIdentifier = identifier == entity.name ? nil : identifier
    entity.userInfo = object["NSUserInfo"]?.textEntries ?? [:]
    entity.uniquenessConstraints = groups(object["NSUniqueTuples"])
    entity.compoundIndexes = groups(object["NSCompoundIndexes"])
    entity.fetchIndexes = (object["NSFetchIndexDescriptions"]?.elements ?? []).compactMap(fetchIndex)
    let properties = (object["NSProperties"]?.entries ?? []).sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    for (name, property) in properties { read(property, name: name, into: &entity, notes: &notes) }
    return entity
  }

  private static func read(
    _ property: ArchivedObject, name: String, into entity: inout EntityDescription, notes: inout [String]
  ) {
    // The kinds are told apart from the most special class up, because archives list the classes above it too.
    if property.isKind(of: "_NSPropertyDescriptionProxy") { return }
    if property.isKind(of: "NSRelationshipDescription") {
      entity.relationships.append(CompiledPropertyReader.relationship(property, name: name))
    } else if property.isKind(of: "NSFetchedPropertyDescription") {
      let request = property["_NSFetchRequestEntityName"]?.string.map {
        FetchRequestDescription(name: "fetchedPropertyFetchRequest", entityName: $0)
      }
      entity.fetchedProperties.append(
        FetchedPropertyDescription(name: name, isOptional: property.flag("NSIsOptional"), fetchRequest: request))
    } else if property.isKind(of: "NSAttributeDescription") {
      entity.attributes.append(
        CompiledPropertyReader.attribute(property, name: name, of: entity.name, notes: &notes))
    } else {
      notes.append("\(entity.name).\(name) is of the unknown kind \(property.classNames.first ?? "?") and is left out")
    }
  }

  private static func groups(_ object: ArchivedObject?) -> [[String]] {
    (object?.elements ?? []).map { group in
      group.elements.compactMap { $0.string ?? $0["NSPropertyName"]?.string }
    }
  }

  private static func fetchIndex(_ object: ArchivedObject) -> FetchIndexDescription? {
    guard let name = object["NSIndexName"]?.string else { return nil }
    let elements: [FetchIndexDescription.Element] = (object["NSIndexElements"]?.elements ?? []).compactMap { element in
      let property = element["NSPropertyName"]?.filledString
      let expression = element["NSExpression"].flatMap { ExpressionFormat.text(of: $0) }
      guard
        let subject = property.map(FetchIndexDescription.Element.Subject.property)
          ?? expression.map(FetchIndexDescription.Element.Subject.expression)
      else { return nil }
      return .init(
        subject: subject, kind: element["NSFetchIndexElementType"]?.value.integer == 1 ? .rTree : .binary,
        isAscending: element["NSAscending"]?.value.boolean ?? true)
    }
    return FetchIndexDescription(name: name, elements: elements)
  }
}
