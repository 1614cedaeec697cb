public import ModelDescription

/// A change to a model that is made in the text of its `contents` file.
public enum ContentsEdit: Hashable, Sendable {
  /// Adds an entity with what it declares.
  case addEntity(EntityDescription)
  /// Adds an attribute to an entity.
  case addAttribute(AttributeDescription, entity: String)
  /// Adds a relationship to an entity, and its other end: the relationship of that name in the destination, which is
  /// made of the inverse where it is not there.
  case addRelationship(RelationshipDescription, entity: String, inverse: RelationshipDescription?)
  /// Gives an entity or property another name, and the renaming identifier by which the version before knows it.
  ///
  /// Where the origin is not known, that is the identifier it has, else its old name.
  case rename(ModelElement, to: String, origin: ElementOrigin? = nil)
  /// Takes an entity or property away, with everything that is nothing without it.
  case remove(ModelElement)
  /// Gives an entity or property other settings.
  case set(ModelElement, [SettingChange])
  /// Gives an attribute another type.
  case retype(entity: String, attribute: String, to: AttributeType, storedType: AttributeType? = nil)
}
