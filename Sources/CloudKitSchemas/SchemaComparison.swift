/// The schema of a model beside an export of its container.
///
/// Production never makes a record type or a field, and never gives one up. Index words, permissions, roles, the fields of
/// CloudKit and the app's own record types do not matter.
public struct SchemaComparison: Hashable, Sendable {
  /// The fields of a record type that an export lacks.
  public struct MissingFields: Hashable, Sendable {
    /// The record type of the model.
    public let recordType: MirroredSchema.RecordType
    /// The fields, in the order of their names.
    public let fields: [MirroredSchema.Field]
    /// The position of the record type in the export.
    public let position: CloudKitSchema.Position?
  }

  /// A field with another data type in the export.
  public struct RetypedField: Hashable, Sendable {
    /// The record type.
    public let recordType: String
    /// The field of the model.
    public let field: MirroredSchema.Field
    /// The field of the export.
    public let exported: CloudKitSchema.Field
  }

  /// The record types that the export lacks.
  public private(set) var missingTypes: [MirroredSchema.RecordType] = []
  /// The fields that the export lacks, without files of large values and receipts.
  public private(set) var missingFields: [MissingFields] = []
  /// The fields with another data type.
  public private(set) var retyped: [RetypedField] = []
  /// The mirrored record types without the name of the entity.
  public private(set) var withoutEntityName: [CloudKitSchema.RecordType] = []
  /// The fields of large values without a field for their file.
  public private(set) var withoutAsset: [MirroredSchema.Field] = []
  /// The names of the fields of links that the export lacks; no measured export has them.
  public private(set) var missingLinks: [String] = []
  /// The names of mirrored record types without a receipt for a shared zone.
  public private(set) var withoutReceipt: [String] = []
  /// The record types of Core Data that no entity fills.
  public private(set) var idleTypes: [CloudKitSchema.RecordType] = []
  /// The names of fields that no property fills, such as `CD_Note.CD_old`.
  public private(set) var idleFields: [String] = []

  /// The names of fields that may be there.
  private var openNames: [String]

  /// Compares the schema of a model with an export.
  public init(_ model: MirroredSchema, with export: CloudKitSchema) {
    openNames = model.open.map { MirroredSchema.prefix + $0.name }
    let exported = Dictionary(export.recordTypes.map { ($0.name, $0) }) { first, _ in first }
    for type in model.recordTypes {
      guard let found = exported[type.name] else {
        missingTypes.append(type)
        continue
      }
      compare(type, with: found)
    }
    let known = Set(model.recordTypes.map(\.name))
    idleTypes = export.recordTypes.filter { type in
      !known.contains(type.name) && (type.name.hasPrefix(MirroredSchema.prefix) || type.name == MirroredSchema.linkType)
    }
  }

  private mutating func compare(_ type: MirroredSchema.RecordType, with export: CloudKitSchema.RecordType) {
    let exported = Dictionary(export.fields.map { ($0.name, $0) }) { first, _ in first }
    var missing: [MirroredSchema.Field] = []
    for field in type.fields {
      guard let found = exported[field.name] else {
        switch field.role {
        case .property: missing.append(field)
        case .entityName: withoutEntityName.append(export)
        case .asset:
          if exported[String(field.name.dropLast(MirroredSchema.assetSuffix.count))] != nil {
            withoutAsset.append(field)
          }
        case .moveReceipt: if !field.name.hasSuffix(MirroredSchema.assetSuffix) { withoutReceipt.append(type.name) }
        case .link: missingLinks.append("\(type.name).\(field.name)")
        }
        continue
      }
      if field.role != .link, !found.type.accepts(field.type) {
        retyped.append(RetypedField(recordType: type.name, field: field, exported: found))
      }
    }
    if !missing.isEmpty { missingFields.append(.init(recordType: type, fields: missing, position: export.position)) }
    let known = Set(type.fields.map(\.name) + openNames)
    idleFields += export.fields.map(\.name).filter { $0.hasPrefix(MirroredSchema.prefix) && !known.contains($0) }
      .map { "\(type.name).\($0)" }
  }

  /// True if a merge adds something that production needs.
  public var misses: Bool { !missingTypes.isEmpty || !missingFields.isEmpty || !withoutEntityName.isEmpty }

  /// True if a merge adds some of it only on request, because no measured export proves it.
  public var missesUnproved: Bool {
    (missingFields.flatMap(\.fields) + missingTypes.flatMap(\.fields)).contains { $0.unproved != nil }
  }

  /// True if every record of the model can be saved.
  public var isComplete: Bool {
    missingTypes.isEmpty && missingFields.isEmpty && retyped.isEmpty && withoutEntityName.isEmpty
  }
}

/// The record types and fields that an export of production lost, although production never gives one up.
public struct SchemaShrinkage: Hashable, Sendable {
  /// A record type or a field that is gone or has another data type.
  public struct Loss: Hashable, Sendable {
    /// The record type.
    public let recordType: String
    /// The field; nil for a complete record type.
    public let field: CloudKitSchema.Field?
    /// The data type now; nil if it is gone.
    public let type: CloudKitSchema.DataType?
    /// The position in the later text: of the field, of the record type, or nil.
    public let position: CloudKitSchema.Position?
  }

  /// The losses in the order of the earlier text.
  public let losses: [Loss]

  /// Compares two exports of one container.
  public init(from earlier: CloudKitSchema, to later: CloudKitSchema) {
    let types = Dictionary(later.recordTypes.map { ($0.name, $0) }) { first, _ in first }
    losses = earlier.recordTypes.flatMap { type -> [Loss] in
      guard let now = types[type.name] else {
        return [Loss(recordType: type.name, field: nil, type: nil, position: nil)]
      }
      let fields = Dictionary(now.fields.map { ($0.name, $0) }) { first, _ in first }
      return type.fields.filter { !$0.name.hasPrefix("___") }.compactMap { field in
        guard let other = fields[field.name] else {
          return Loss(recordType: type.name, field: field, type: nil, position: now.position)
        }
        if other.type.accepts(field.type) { return nil }
        return Loss(recordType: type.name, field: field, type: other.type, position: other.position)
      }
    }
  }
}
