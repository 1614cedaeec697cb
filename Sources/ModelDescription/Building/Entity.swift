/// An entity in code.
///
/// What is not said is what Xcode gives a new entity: a class of its own name, which Xcode generates, and the sync flag.
/// None of these enters a hash.
public struct Entity: ModelComponent {
  /// The entity's name.
  public let name: String
  private let description: EntityDescription
  private let parent: EntityReference?
  private let scalarValues: ScalarValues
  private let syncable: SyncFlag
  private let contents: EntityContents

  private init(
    _ description: EntityDescription, parent: EntityReference?, scalarValues: ScalarValues, syncable: SyncFlag,
    contents: EntityContents
  ) {
    name = description.name
    (self.description, self.parent, self.contents) = (description, parent, contents)
    (self.scalarValues, self.syncable) = (scalarValues, syncable)
  }

  /// The entity as a value.
  public var entityDescription: EntityDescription {
    var entity = description
    if let parent { entity.superentityName = parent.name }
    entity.isSyncable = syncable != .none
    var draft = EntityDraft(
      entity: entity, scalarValues: scalarValues, propertiesAreSyncable: syncable == .withProperties)
    contents.add(to: &draft)
    return draft.entity
  }

  /// Adds the entity to a model.
  public func add(to model: inout ManagedObjectModel) { model.entities.append(entityDescription) }
}

extension Entity {
  /// Describes an entity.
  ///
  /// - Parameters:
  ///   - name: the entity's name, unique in its model.
  ///   - parent: the name of the entity it inherits from.
  ///   - isAbstract: true when only its sub-entities have objects.
  ///   - objectClass: the class of its objects.
  ///   - codeGeneration: how Xcode generates the class.
  ///   - renamingIdentifier: what pairs it with its former self in another version.
  ///   - versionHashModifier: a text that changes the hash and nothing else.
  ///   - userInfo: the developer's own entries.
  ///   - scalarValues: what attributes that do not say whether their values are scalars have.
  ///   - syncable: the obsolete sync flag of the editor.
  ///   - contents: attributes, relationships, fetched properties, indexes and constraints.
  public init(
    _ name: String, parent: String? = nil, isAbstract: Bool = false, objectClass: ObjectClass = .sameName,
    codeGeneration: CodeGeneration? = .class, renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:], scalarValues: ScalarValues = .whereXcodeDoes, syncable: SyncFlag = .entity,
    @EntityBuilder _ contents: () -> EntityContents = { EntityBuilder.buildBlock() }
  ) {
    self.init(
      EntityDescription(
        name: name, className: objectClass.name(for: name), isAbstract: isAbstract,
        renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier, userInfo: userInfo,
        codeGeneration: codeGeneration?.rawValue),
      parent: parent.map { EntityReference($0) }, scalarValues: scalarValues, syncable: syncable, contents: contents())
  }

  /// Describes an entity that inherits from the one of a type.
  ///
  /// - Parameters:
  ///   - name: the entity's name, unique in its model.
  ///   - parent: the type that describes the entity it inherits from.
  ///   - isAbstract: true when only its sub-entities have objects.
  ///   - objectClass: the class of its objects.
  ///   - codeGeneration: how Xcode generates the class.
  ///   - renamingIdentifier: what pairs it with its former self in another version.
  ///   - versionHashModifier: a text that changes the hash and nothing else.
  ///   - userInfo: the developer's own entries.
  ///   - scalarValues: what attributes that do not say whether their values are scalars have.
  ///   - syncable: the obsolete sync flag of the editor.
  ///   - contents: attributes, relationships, fetched properties, indexes and constraints.
  public init<Parent: EntityDescribing>(
    _ name: String, parent: Parent.Type, isAbstract: Bool = false, objectClass: ObjectClass = .sameName,
    codeGeneration: CodeGeneration? = .class, renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:], scalarValues: ScalarValues = .whereXcodeDoes, syncable: SyncFlag = .entity,
    @EntityBuilder _ contents: () -> EntityContents = { EntityBuilder.buildBlock() }
  ) {
    self.init(
      EntityDescription(
        name: name, className: objectClass.name(for: name), isAbstract: isAbstract,
        renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier, userInfo: userInfo,
        codeGeneration: codeGeneration?.rawValue),
      parent: EntityReference(parent), scalarValues: scalarValues, syncable: syncable, contents: contents())
  }
}
