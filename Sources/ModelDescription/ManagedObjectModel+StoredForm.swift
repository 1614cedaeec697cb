extension ManagedObjectModel {
  /// The model with what a store's own copy of it holds, all indexes in one form: settings of the editor and classes of
  /// the app are in no store.
  package var storedForm: ManagedObjectModel {
    var model = self
    for position in model.entities.indices { model.entities[position] = model.entities[position].storedForm }
    for position in model.composites.indices {
      model.composites[position].elements = model.composites[position].elements.map(\.storedForm)
    }
    return model
  }
}

extension EntityDescription {
  fileprivate var storedForm: EntityDescription {
    var entity = self
    // An index of one attribute marks the attribute as indexed in what Core Data keeps.
    let indexed = Set(
      fetchIndexes.compactMap { index -> String? in
        guard index.elements.count == 1, case .property(let name)? = index.elements.first?.subject,
          index.elements[0].isAscending
        else { return nil }
        return name
      })
    for position in entity.attributes.indices where indexed.contains(entity.attributes[position].name) {
      entity.attributes[position].isIndexed = false
    }
    entity.fetchIndexes = entity.allFetchIndexes
    entity.compoundIndexes = []
    entity.className = nil
    entity.codeGeneration = nil
    entity.isSyncable = true
    entity.attributes = entity.attributes.map(\.storedForm)
    for position in entity.relationships.indices {
      entity.relationships[position].isIndexed = false
      entity.relationships[position].isSyncable = true
    }
    for position in entity.fetchedProperties.indices { entity.fetchedProperties[position].isSyncable = true }
    return entity
  }
}

extension AttributeDescription {
  fileprivate var storedForm: AttributeDescription {
    var attribute = self
    attribute.isIndexed = false
    attribute.isSyncable = true
    attribute.usesScalarValueType = nil
    // Where a store's own copy has it is not known.
    attribute.allowsCloudEncryption = false
    attribute.elements = attribute.elements.map(\.storedForm)
    return attribute
  }
}
