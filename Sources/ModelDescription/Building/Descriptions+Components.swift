// The values themselves are parts as well, for what has no form of its own in code.

extension EntityDescription: ModelComponent {
  /// Adds the entity to a model.
  public func add(to model: inout ManagedObjectModel) { model.entities.append(self) }
}

extension AttributeDescription: EntityComponent, CompositeComponent {
  /// Adds the attribute to an entity, as it is.
  public func add(to draft: inout EntityDraft) { draft.entity.attributes.append(self) }

  /// The attribute itself.
  public func attributeDescription(scalarValues: ScalarValues) -> AttributeDescription { self }
}

extension RelationshipDescription: EntityComponent {
  /// Adds the relationship to an entity, as it is.
  public func add(to draft: inout EntityDraft) { draft.entity.relationships.append(self) }
}

extension FetchedPropertyDescription: EntityComponent {
  /// Adds the fetched property to an entity, as it is.
  public func add(to draft: inout EntityDraft) { draft.entity.fetchedProperties.append(self) }
}

extension FetchIndexDescription: EntityComponent {
  /// Adds the index to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.fetchIndexes.append(self) }
}
