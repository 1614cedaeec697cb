public import CloudKitSchemas
package import ModelChecks
public import ModelDescription
import ModelFiles

extension Workspace {
  /// The schema that Core Data makes of a model in CloudKit.
  ///
  /// - Parameters:
  ///   - argument: the name of the model; nil for the current version.
  ///   - configuration: the mirrored configuration; nil for the complete model.
  /// - Returns: the name of the model, and its schema.
  /// - Throws: as ``namedModel(_:)``, ``WorkspaceError`` if the model lacks the configuration, and
  ///   ``MirroringError`` if the model has no schema.
  package func mirroredSchema(
    _ argument: String?, configuration: String? = nil
  ) throws -> (name: String, schema: MirroredSchema) {
    let (name, file, hierarchy) = try namedModel(argument)
    let members = try configuration.map { wanted in
      let known = file.model.configurations
      guard let found = known.first(where: { $0.name == wanted }) else {
        throw WorkspaceError.unknownConfiguration(wanted, model: name, configurations: known.map(\.name))
      }
      return Set(found.entityNames)
    }
    let schema = MirroredSchema(of: hierarchy, entities: members)
    if let conflict = schema.conflicts.first { throw MirroringError.conflict(conflict, model: name) }
    if let element = schema.unwritableNames.first { throw MirroringError.name(element, model: name) }
    if let property = schema.taken.first { throw MirroringError.taken(property, model: name) }
    if let property = schema.unsupported.first { throw MirroringError.unsupported(property, model: name) }
    return (name, schema)
  }

  /// Reads the export of a container.
  ///
  /// - Parameter path: a `.ckdb` file, or a Markdown file with one schema.
  /// - Returns: the text, and the schema in it.
  /// - Throws: `ModelFileError` for a file that cannot be read, `CloudKitSchemaError` for the first fault in its text.
  package static func cloudKitExport(at path: String) throws -> CheckedContainer.Export {
    let export = try CheckedContainer.Export(at: path)
    if let fault = export.faults.first { throw fault }
    return export
  }

  /// True for the path of a file with the schema of a container.
  package static func isCloudKitExport(_ path: String) -> Bool {
    CloudKitSchema.isMarkdown(path) || path.lowercased().hasSuffix(".ckdb")
  }
}

/// The reason why a model has no schema in CloudKit.
public enum MirroringError: Hashable, Sendable {
  /// Attributes of one tree of entities need different data types in one field.
  case conflict(MirroredSchema.Conflict, model: String)
  /// A name has other characters than letters of ASCII, digits and low lines.
  case name(String, model: String)
  /// A property has the name of a field that Core Data makes itself.
  case taken(MirroredSchema.Property, model: String)
  /// CloudKit does not store the type of an attribute.
  case unsupported(MirroredSchema.Property, model: String)
}

extension MirroringError: AdvisedError {
  /// The model.
  public var place: String? {
    switch self {
    case .conflict(_, let model), .name(_, let model), .taken(_, let model), .unsupported(_, let model): model
    }
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .conflict(let conflict, _):
      let names = conflict.properties.map { "\($0.entity).\($0.name)" }.joined(separator: " and ")
      return "\(names) need different data types in the field \(conflict.recordType).\(conflict.field)"
    case .taken(let property, _):
      return "Core Data makes the field \(MirroredSchema.prefix)\(property.name) of \(property.entity) itself"
    case .unsupported(let property, _):
      return "CloudKit does not store the type of \(property.entity).\(property.name)"
    case .name(let name, _): return "CloudKit takes only letters of ASCII, digits and _ in a name, not “\(name)”"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .conflict: "rename one of the two attributes"
    case .name, .taken: "give it another name"
    case .unsupported: "give it another type"
    }
  }
}
