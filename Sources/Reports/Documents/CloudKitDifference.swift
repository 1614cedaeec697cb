public import CloudKitSchemas
import ModelFiles

/// The record types and fields of a model that the container of an app lacks.
public struct CloudKitDifference: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The name of the model.
  public let model: String
  /// The file of the export, or the name of the earlier model.
  public let export: String
  /// Whether production can save every record.
  public let isComplete: Bool
  /// The record types that the export lacks.
  public let missingTypes: [RecordType]
  /// The fields that the export lacks, by record type.
  public let missingFields: [RecordType]
  /// The fields with another data type in the export.
  public let retyped: [RetypedField]
  /// The record types without `CD_entityName`, which Core Data did not make.
  public let withoutEntityName: [String]
  /// The fields of values that can outgrow a record and have no field for their file.
  public let withoutAsset: [String]
  /// The record types without a receipt for shared zones.
  public let withoutMoveReceipt: [String]
  /// The record types and fields that no entity fills.
  public let idle: [String]
  /// The rules without a measured example.
  public let unproved: [MirroredSchema.UnprovedRule]

  /// A record type with the fields that are missing.
  public struct RecordType: Encodable, Hashable, Sendable {
    /// The name.
    public let recordType: String
    /// The entities whose objects are its records.
    public let entities: [String]
    /// The missing fields.
    public let fields: [Field]
    /// The line of the record type in the export; nil if it is missing.
    public let line: Int?
  }

  /// A missing field.
  public struct Field: Encodable, Hashable, Sendable {
    /// The name.
    public let name: String
    /// The data type, such as `STRING`.
    public let type: String
    /// The entity that declares the property; nil for a field of no property.
    public let entity: String?
    /// The attribute or the relationship; nil for a field of no property.
    public let property: String?
    /// The rule without a measured example; nil if the field is proved.
    public let unproved: MirroredSchema.UnprovedRule?

    init(_ field: MirroredSchema.Field) {
      (name, type) = (field.name, "\(field.type)")
      (entity, property, unproved) = (field.property?.entity, field.property?.name, field.unproved)
    }
  }

  /// A field with another data type in the export.
  public struct RetypedField: Encodable, Hashable, Sendable {
    /// The record type.
    public let recordType: String
    /// The field.
    public let field: Field
    /// The data type in the export.
    public let exported: String
    /// The line in the export; nil for another model.
    public let line: Int?
  }

  /// Creates a report of a comparison.
  public init(_ comparison: SchemaComparison, of schema: MirroredSchema, model: String, export: String) {
    (self.model, self.export, isComplete) = (model, export, comparison.isComplete)
    missingTypes = comparison.missingTypes.map { type in
      RecordType(
        recordType: type.name, entities: type.entities, fields: type.fields.filter(\.isRequired).map(Field.init),
        line: nil)
    }
    missingFields = comparison.missingFields.map { missing in
      RecordType(
        recordType: missing.recordType.name, entities: missing.recordType.entities,
        fields: missing.fields.map(Field.init), line: missing.position?.line)
    }
    retyped = comparison.retyped.map { other in
      RetypedField(
        recordType: other.recordType, field: Field(other.field), exported: "\(other.exported.type)",
        line: other.exported.position?.line)
    }
    withoutEntityName = comparison.withoutEntityName.map(\.name)
    withoutAsset = comparison.withoutAsset.map { field in
      field.property.map { "\($0.entity).\($0.name)" } ?? field.name
    }
    withoutMoveReceipt = comparison.withoutReceipt
    idle = comparison.idleTypes.map(\.name) + comparison.idleFields
    unproved = schema.unproved
  }

  /// The differences, each with its effect.
  ///
  /// - Parameter next: the command that writes the missing types and fields; nil for two models.
  public func text(next: String?) -> String {
    var lines = ["from \(export) to \(model): \(isComplete ? "nothing to deploy" : "to deploy")"]
    func add(_ sentence: String) {
      lines += WrappedText.lines(PrintableText.line(sentence), lead: "  ", indent: "    ")
    }
    for type in missingTypes {
      let fields = Quantity.text(type.fields.count, "field")
      let entities = type.entities.isEmpty ? "" : "\(NameList.text(type.entities)), "
      add("record type \(type.recordType) is missing (\(entities)\(fields)): production refuses each of its records")
    }
    for type in missingFields {
      let names = type.fields.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
      add("\(type.recordType) lacks \(names): production refuses a record that sets one")
    }
    for other in retyped {
      add(
        "\(other.recordType).\(other.field.name) is \(other.exported), but Core Data writes \(other.field.type): "
          + "a deployed type cannot change; give the attribute another name")
    }
    for type in withoutEntityName { add("\(type) lacks CD_entityName: Core Data did not make this record type") }
    if !withoutAsset.isEmpty {
      add(
        "\(NameList.text(withoutAsset)) can be larger than a record (1 MB), and have no field for a file: "
          + "production refuses such a value")
    }
    if !idle.isEmpty { add("no entity fills \(NameList.text(idle)), which production keeps; you need not act") }
    for rule in unproved { add("not proved by a measured export: \(rule.words)") }
    guard !isComplete, let next else { return lines.map { "\($0)\n" }.joined() }
    return lines.map { "\($0)\n" }.joined() + "next:\n  \(next)\n"
  }
}
