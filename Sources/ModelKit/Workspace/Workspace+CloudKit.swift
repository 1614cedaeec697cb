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
      guard let members = file.model.entityNames(inConfiguration: wanted) else {
        throw WorkspaceError.unknownConfiguration(
          wanted, model: name, configurations: file.model.configurations.map(\.name))
      }
      return members
    }
    let schema = MirroredSchema(of: hierarchy, entities: members)
    if let fault = schema.faults.first { throw MirroringError(fault: fault, model: name) }
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

/// A model that has no schema in CloudKit.
public struct MirroringError: Hashable, Sendable {
  /// The reason.
  public let fault: MirroredSchema.Fault
  /// The name of the model.
  public let model: String
}

extension MirroringError: AdvisedError {
  /// The model.
  public var place: String? { model }
  /// The cause as a sentence.
  public var cause: String { fault.cause }
  /// The remedy.
  public var advice: Advice? { fault.advice }
}
