public import ModelDescription

/// The schema that Core Data and SwiftData make of a model that CloudKit mirrors, with the origin of each field.
///
/// Source: Apple, “Reading CloudKit Records for Core Data”; 391 of 399 fields of eight exports are equal, and the other
/// eight were never saved.
public struct MirroredSchema: Hashable, Sendable {
  /// A record type of the model.
  public struct RecordType: Hashable, Sendable {
    /// The name, such as `CD_Note`, or `CDMR` for the links of many-to-many relationships.
    public let name: String
    /// The entities whose objects are records of the type, the root entity first; empty for `CDMR`.
    public let entities: [String]
    /// The fields without those that CloudKit itself has.
    public internal(set) var fields: [Field]
  }

  /// An attribute or a relationship.
  public struct Property: Hashable, Sendable {
    /// The entity that declares it.
    public let entity: String
    /// Its name.
    public let name: String
  }

  /// A field of a record type.
  public struct Field: Hashable, Sendable {
    /// The reason why a record has the field.
    public enum Role: String, Hashable, Sendable, Encodable {
      /// The value of an attribute or of a to-one relationship.
      case property
      /// The name of the object's entity.
      case entityName = "entity-name"
      /// The file of a value that is too large for the record.
      case asset
      /// The receipt of a record that moved to a shared zone, or its file.
      case moveReceipt = "move-receipt"
      /// The links of many-to-many relationships.
      case link
    }

    /// The name, such as `CD_title`.
    public let name: String
    /// The data type.
    public let type: CloudKitSchema.DataType
    /// The reason why a record has the field.
    public let role: Role
    /// The attribute or the relationship; nil if it is not of a property.
    public let property: Property?
    /// The rule without a measured example; nil if the field is proved.
    public let unproved: UnprovedRule?

    /// True if production must have the field for every record to be saved.
    public var isRequired: Bool { role == .property || role == .entityName }
  }

  /// A rule that no measured export confirms.
  public enum UnprovedRule: String, Hashable, Sendable, CaseIterable, Encodable {
    case manyToMany = "many-to-many"
    case subentity = "sub-entity"
    case encryptedAsset = "encrypted-asset"
    case uri
    case float
    case composite
    case derived

    /// The open question in words.
    public var words: String {
      switch self {
      case .manyToMany: "the fields of the links of many-to-many relationships"
      case .subentity: "the fields of sub-entities in the record type of their root entity"
      case .encryptedAsset: "the file of a large encrypted value"
      case .uri: "the data type of URI attributes"
      case .float: "the data type of Float attributes"
      case .composite: "the data type of composite attributes of a model file"
      case .derived: "whether derived attributes are mirrored"
      }
    }
  }

  /// Two attributes of one tree of entities that need different data types in one field.
  public struct Conflict: Hashable, Sendable {
    /// The record type.
    public let recordType: String
    /// The name of the field.
    public let field: String
    /// The attributes or relationships, the first one first.
    public let properties: [Property]
  }

  /// The reason why CloudKit cannot store a part of a model.
  public enum Fault: Hashable, Sendable {
    /// Properties that need different data types in one field.
    case conflict(Conflict)
    /// A name with other characters than letters of ASCII, digits and low lines.
    case name(String)
    /// A property with the name of a field that Core Data makes itself.
    case taken(Property)
    /// An attribute whose type CloudKit does not store.
    case unsupported(Property)

    /// The cause as a sentence.
    public var cause: String {
      switch self {
      case .conflict(let conflict):
        let names = conflict.properties.map { "\($0.entity).\($0.name)" }.joined(separator: " and ")
        return "\(names) need different data types in the field \(conflict.recordType).\(conflict.field)"
      case .name(let name): return "CloudKit takes only letters of ASCII, digits and _ in a name, not “\(name)”"
      case .taken(let property):
        return "Core Data makes the field \(MirroredSchema.prefix)\(property.name) of \(property.entity) itself"
      case .unsupported(let property): return "CloudKit does not store the type of \(property.entity).\(property.name)"
      }
    }

    /// The remedy.
    public var advice: Advice {
      switch self {
      case .conflict: "rename one of the two"
      case .name, .taken: "rename it"
      case .unsupported: "give it another type"
      }
    }
  }

  /// The record types in the order of their names.
  public private(set) var recordTypes: [RecordType] = []
  /// Properties that need different types in one field.
  public private(set) var conflicts: [Conflict] = []
  /// The attributes that are neither fields nor certainly none.
  public private(set) var open: [Property] = []
  /// The attributes whose type CloudKit does not store.
  public private(set) var unsupported: [Property] = []
  /// The properties with the name of a field that Core Data makes itself.
  public private(set) var taken: [Property] = []

  /// The name of the record type for the links of many-to-many relationships.
  public static let linkType = "CDMR"
  /// The prefix of the names that Core Data makes.
  public static let prefix = "CD_"
  /// The suffix of the field for a large value's file.
  public static let assetSuffix = "_ckAsset"

  /// Makes the schema of a model.
  ///
  /// - Parameter entities: the names of the mirrored entities; nil for all.
  public init(of hierarchy: EntityHierarchy, entities: Set<String>? = nil) {
    var hasLinks = false
    for root in hierarchy.roots {
      let whole = hierarchy.family(of: root.name)
      let family = whole.filter { entities?.contains($0.name) ?? true }
      guard !family.isEmpty else { continue }
      var tree = Tree(root: root.name)
      let isWhole = family.count == whole.count
      let holders = isWhole ? [] : Set(family.flatMap { hierarchy.lineage(of: $0.name).map(\.name) })
      for entity in whole where isWhole || holders.contains(entity.name) {
        for attribute in entity.attributes { add(attribute, of: entity, to: &tree) }
        for relationship in entity.relationships where !relationship.isTransient {
          if relationship.isToMany {
            let inverse = hierarchy.inverse(of: relationship)
            hasLinks = hasLinks || inverse?.isToMany ?? false
          } else {
            tree.add(relationship.name, .init(.string), of: entity, root: root.name, isLarge: false, nil)
          }
        }
      }
      recordTypes.append(tree.recordType(of: family.map(\.name)))
      conflicts += tree.conflicts
      taken += tree.taken
    }
    if hasLinks { recordTypes.append(Self.links) }
    recordTypes.sort { CloudKitSchema.isBefore($0.name, $1.name) }
  }

  /// The entities whose properties are mirrored: those of the names and their parents.
  public static func holders(of names: Set<String>?, in hierarchy: EntityHierarchy) -> [EntityDescription] {
    guard let names else { return hierarchy.model.entities }
    let wanted = Set(names.flatMap { hierarchy.lineage(of: $0).map(\.name) })
    return hierarchy.model.entities.filter { wanted.contains($0.name) }
  }

  private static var links: RecordType {
    RecordType(
      name: linkType, entities: [],
      fields: ["entityNames", "recordNames", "relationships"].map { name in
        Field(name: prefix + name, type: .init(.string), role: .link, property: nil, unproved: .manyToMany)
      })
  }

  private mutating func add(_ attribute: AttributeDescription, of entity: EntityDescription, to tree: inout Tree) {
    if attribute.isTransient { return }
    if attribute.derivation != nil {
      open.append(Property(entity: entity.name, name: attribute.name))
      return
    }
    guard let kind = Self.kind(of: attribute.type) else {
      unsupported.append(Property(entity: entity.name, name: attribute.name))
      return
    }
    let rule: UnprovedRule? =
      switch attribute.type {
      case .uri: .uri
      case .float: .float
      case .composite where attribute.compositeName != nil: .composite
      default: nil
      }
    let type = CloudKitSchema.DataType(kind, isEncrypted: attribute.allowsCloudEncryption)
    tree.add(attribute.name, type, of: entity, root: tree.root, isLarge: Self.isLarge(attribute.type), rule)
  }

  /// The kind of the values of an attribute's type in CloudKit; nil if CloudKit does not store them.
  public static func kind(of type: AttributeType) -> CloudKitSchema.DataType.Kind? {
    switch type {
    case .string, .uuid, .uri: .string
    case .boolean, .integer16, .integer32, .integer64: .int64
    case .double, .float, .decimal: .double
    case .date: .timestamp
    case .binary, .transformable, .composite: .bytes
    case .undefined, .objectID, .unrecognized: nil
    }
  }

  /// True if a value can outgrow its record, so that it has a field for its file.
  static func isLarge(_ type: AttributeType) -> Bool { [.string, .binary, .transformable, .composite].contains(type) }

  /// The schema as a text has it, with the fields that CloudKit itself has and the usual permissions.
  ///
  /// - Parameters:
  ///   - unproved: true to include the fields of rules without a measured example.
  ///   - moveReceipts: false to leave out the receipts of records that move to a shared zone.
  public func schema(unproved: Bool = false, moveReceipts: Bool = true) -> CloudKitSchema {
    CloudKitSchema(
      recordTypes: recordTypes.compactMap { type in
        let fields = type.fields.filter { field in
          (unproved || field.unproved == nil) && (moveReceipts || field.role != .moveReceipt)
        }
        // A type without a proved field would stay in production for ever.
        if fields.isEmpty { return nil }
        return CloudKitSchema.RecordType(
          type.name, fields: fields.map { .init($0.name, $0.type) } + CloudKitSchema.systemFields,
          grants: CloudKitSchema.usualGrants)
      })
  }

  /// All that keeps the model from having a schema.
  public var faults: [Fault] {
    conflicts.map(Fault.conflict) + unwritableNames.map(Fault.name) + taken.map(Fault.taken)
      + unsupported.map(Fault.unsupported)
  }

  /// The names of entities and properties that CloudKit does not take.
  public var unwritableNames: [String] {
    recordTypes.flatMap { [$0.name] + $0.fields.map(\.name) }.filter { !CloudKitSchema.isPlain($0) }
      .map { String($0.dropFirst(Self.prefix.count)) }
  }

  /// The rules without a measured example that the schema uses.
  public var unproved: [UnprovedRule] {
    var rules = Set(recordTypes.flatMap(\.fields).compactMap(\.unproved))
    if !open.isEmpty { rules.insert(.derived) }
    return UnprovedRule.allCases.filter(rules.contains)
  }

  /// The record type with a name.
  public func recordType(_ name: String) -> RecordType? { recordTypes.first { $0.name == name } }
}

extension CloudKitSchema {
  /// The fields that every record has, in the order of the bytes of their names.
  public static let systemFields: [Field] = [
    Field("___createTime", .init(.timestamp), indexes: []), Field("___createdBy", .init(.reference), indexes: []),
    Field("___etag", .init(.string), indexes: []), Field("___modTime", .init(.timestamp), indexes: []),
    Field("___modifiedBy", .init(.reference), indexes: []), Field("___recordID", .init(.reference), indexes: []),
  ]

  /// The permissions of each mirrored record type.
  public static let usualGrants = [
    Grant([.write], to: "_creator"), Grant([.create], to: "_icloud"), Grant([.read], to: "_world"),
  ]
}

/// The fields of a root entity and its sub-entities, which share a record type.
private struct Tree {
  let root: String
  private var fields: [MirroredSchema.Field] = []
  private var positions: [String: Int] = [:]
  /// The fields for the files of large values, by the names of the fields of the values.
  private var files: [String: MirroredSchema.Field] = [:]
  private(set) var taken: [MirroredSchema.Property] = []
  private(set) var conflicts: [MirroredSchema.Conflict] = []

  init(root: String) { self.root = root }

  mutating func add(
    _ property: String, _ type: CloudKitSchema.DataType, of entity: EntityDescription, root: String, isLarge: Bool,
    _ rule: MirroredSchema.UnprovedRule?
  ) {
    let address = MirroredSchema.Property(entity: entity.name, name: property)
    let rule = rule ?? (entity.name == root ? nil : .subentity)
    let name = MirroredSchema.prefix + property
    if isLarge, files[name] == nil {
      files[name] = .init(
        name: name + MirroredSchema.assetSuffix, type: .init(.asset), role: .asset, property: address,
        unproved: rule ?? (type.isEncrypted ? .encryptedAsset : nil))
    }
    if let known = positions[name] {
      let first = fields[known]
      if first.type != type, let other = first.property {
        conflicts.append(
          .init(recordType: MirroredSchema.prefix + root, field: name, properties: [other, address]))
      }
      return
    }
    append(.init(name: name, type: type, role: .property, property: address, unproved: rule))
  }

  private mutating func append(_ field: MirroredSchema.Field) {
    positions[field.name] = fields.count
    fields.append(field)
  }

  /// Adds the fields that Core Data makes itself.
  mutating func recordType(of entities: [String]) -> MirroredSchema.RecordType {
    func own(_ name: String, _ kind: CloudKitSchema.DataType.Kind, _ role: MirroredSchema.Field.Role)
      -> MirroredSchema.Field
    {
      .init(name: MirroredSchema.prefix + name, type: .init(kind), role: role, property: nil, unproved: nil)
    }
    let common = [
      own("entityName", .string, .entityName), own("moveReceipt", .bytes, .moveReceipt),
      own("moveReceipt" + MirroredSchema.assetSuffix, .asset, .moveReceipt),
    ]
    for field in files.values.sorted(by: { $0.name < $1.name }) + common {
      if let known = positions[field.name] {
        taken += [fields[known].property].compactMap { $0 }
      } else {
        append(field)
      }
    }
    return .init(
      name: MirroredSchema.prefix + root, entities: entities,
      fields: fields.sorted { CloudKitSchema.isBefore($0.name, $1.name) })
  }
}
