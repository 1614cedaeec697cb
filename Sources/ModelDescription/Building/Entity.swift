/// An entity in code.
///
/// Its default settings are those of a new entity in Xcode: a generated class of its own name, and the sync flag. These
/// settings are not hashed.
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
  ///   - isAbstract: true if only its sub-entities have objects.
  ///   - renamingIdentifier: the name or identifier of the entity in an earlier version.
  ///   - versionHashModifier: a text that changes only the hash.
  ///   - scalarValues: the scalar setting of attributes without their own setting.
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

  /// Describes an entity that inherits from the entity of a type.
  ///
  /// - Parameters:
  ///   - parent: the type that describes the parent entity.
  ///   - isAbstract: true if only its sub-entities have objects.
  ///   - renamingIdentifier: the name or identifier of the entity in an earlier version.
  ///   - versionHashModifier: a text that changes only the hash.
  ///   - scalarValues: the scalar setting of attributes without their own setting.
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

/// The class of an entity's objects.
public enum ObjectClass: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A class with the name of the entity, as for a new entity in Xcode.
  case sameName
  /// `NSManagedObject` itself: the model does not name a class.
  case managedObject
  /// A class with a different name.
  case named(String)

  /// Names a class.
  public init(stringLiteral name: String) { self = .named(name) }

  func name(for entity: String) -> String? {
    switch self {
    case .sameName: entity
    case .managedObject: nil
    case .named(let name): name
    }
  }
}

/// The parts of an entity with the obsolete sync flag of the editor, which is not hashed.
public enum SyncFlag: Hashable, Sendable {
  /// Nothing.
  case none
  /// The entity, as in files of newer Xcodes.
  case entity
  /// The entity and every property without its own setting, as in files of older Xcodes.
  case withProperties
}

/// The code generation of Xcode for an entity; nil, as in older files, generates nothing.
public struct CodeGeneration: RawRepresentable, Hashable, Sendable {
  /// The word in model files.
  public let rawValue: String

  /// Takes a word of a model file.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The complete class.
  public static let `class` = CodeGeneration(rawValue: "class")
  /// An extension of a class that you write.
  public static let category = CodeGeneration(rawValue: "category")
}

/// The scalar setting of an entity's attributes without their own setting; it is not hashed.
public enum ScalarValues: Hashable, Sendable {
  /// Yes for numbers and Booleans, no for dates and UUIDs, no setting for other types: as for a new attribute in Xcode.
  case whereXcodeDoes
  /// No for numbers, Booleans, dates and UUIDs, no setting for other types.
  case nowhere
  /// No setting, as in the oldest files and in compiled models.
  case unsaid

  /// The setting of an attribute of a type.
  public func flag(for type: AttributeType) -> Bool? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: self == .unsaid ? nil : self == .whereXcodeDoes
    case .date, .uuid: self == .unsaid ? nil : false
    default: nil
    }
  }
}
