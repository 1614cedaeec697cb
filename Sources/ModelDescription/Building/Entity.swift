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
  ///   - isAbstract: true when only its sub-entities have objects.
  ///   - renamingIdentifier: what pairs it with its former self in another version.
  ///   - versionHashModifier: a text that changes the hash and nothing else.
  ///   - scalarValues: what attributes that do not say whether their values are scalars have.
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
  ///   - parent: the type that describes the entity it inherits from.
  ///   - isAbstract: true when only its sub-entities have objects.
  ///   - renamingIdentifier: what pairs it with its former self in another version.
  ///   - versionHashModifier: a text that changes the hash and nothing else.
  ///   - scalarValues: what attributes that do not say whether their values are scalars have.
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
  /// The class that has the entity's name, as for a new entity in Xcode.
  case sameName
  /// `NSManagedObject` itself: the model names no class.
  case managedObject
  /// A class of another name.
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

/// What of an entity has the obsolete sync flag of the editor, which enters no hash.
public enum SyncFlag: Hashable, Sendable {
  /// Nothing.
  case none
  /// The entity, as in files of newer Xcodes.
  case entity
  /// The entity and every property that does not say otherwise, as in files of older Xcodes.
  case withProperties
}

/// How Xcode generates the class of an entity; nil, as in older files, generates nothing.
public struct CodeGeneration: RawRepresentable, Hashable, Sendable {
  /// The word that model files have.
  public let rawValue: String

  /// Takes a word that model files have.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The whole class.
  public static let `class` = CodeGeneration(rawValue: "class")
  /// An extension of a class that is written by hand.
  public static let category = CodeGeneration(rawValue: "category")
}

/// Whether generated code uses scalars for the attributes of an entity that do not say so themselves; it enters no hash.
public enum ScalarValues: Hashable, Sendable {
  /// Yes for numbers and Booleans, no for dates and UUIDs, nothing for the rest: as for a new attribute in Xcode.
  case whereXcodeDoes
  /// No for numbers, Booleans, dates and UUIDs, nothing for the rest.
  case nowhere
  /// Nothing is said, as in the oldest files and in compiled models.
  case unsaid

  /// What an attribute of a type has.
  public func flag(for type: AttributeType) -> Bool? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: self == .unsaid ? nil : self == .whereXcodeDoes
    case .date, .uuid: self == .unsaid ? nil : false
    default: nil
    }
  }
}
