public import CloudKitSchemas
import Foundation
import ModelDescription
import ModelFiles

/// A CloudKit container with the models that it mirrors and the export of its schema.
public struct CheckedContainer: Sendable {
  /// A text of the schema.
  public struct Export: Sendable {
    /// The path of the file.
    public let path: String
    /// The text.
    public let text: String
    /// The schema in the text.
    public let schema: CloudKitSchema
    /// The faults in the text; a schema with faults is not compared.
    public let faults: [CloudKitSchemaError]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: a `.ckdb` file, or a Markdown file with one schema.
    ///   - name: the path in faults, if it differs.
    /// - Throws: `ModelFileError` for a file that cannot be read.
    public init(at path: String, named name: String? = nil) throws {
      let bytes = [UInt8](try FileBytes.read(path, limit: CloudKitSchema.byteLimit))
      self.path = name ?? path
      text = String(decoding: bytes, as: UTF8.self)
      (schema, faults) = CloudKitSchema.read(bytes, path: self.path)
    }
  }

  /// The container as the project names it.
  public let configuration: ConfiguredContainer
  /// The export; nil if the project does not name one.
  public let export: Export?
  /// The schema in the export of the base, with the name of the base; nil without a base or its export.
  public let earlier: (schema: CloudKitSchema, name: String)?
  /// The versions that the rules check.
  let models: [MirroredModel]
  private let comparisons = Once<[(model: MirroredModel, result: SchemaComparison)]>()

  init(
    configuration: ConfiguredContainer, export: Export?, earlier: (schema: CloudKitSchema, name: String)?,
    models: [MirroredModel]
  ) {
    (self.configuration, self.export, self.earlier, self.models) = (configuration, export, earlier, models)
  }

  /// The current versions, each beside the export, compared once for all rules.
  func results(beside export: Export) -> [(model: MirroredModel, result: SchemaComparison)] {
    comparisons.value { models.filter(\.isCurrent).map { ($0, SchemaComparison($0.schema, with: export.schema)) } }
  }
}

/// A version of a mirrored model.
struct MirroredModel: Sendable {
  let file: ModelFile
  /// The name of the version, or the path of a model without a bundle.
  let name: String
  let hierarchy: EntityHierarchy
  /// The schema that Core Data makes of it.
  let schema: MirroredSchema
  /// The names of the mirrored entities.
  let mirrored: Set<String>
  /// True for the version that the app uses.
  let isCurrent: Bool
  /// True if there is release evidence.
  let isReleased: Bool
  /// True if the version can still change.
  let canChange: Bool
  /// The released versions before it, the newest first.
  let released: [(name: String, hierarchy: EntityHierarchy, schema: MirroredSchema)]

  /// The entities whose objects are mirrored.
  var entities: [EntityDescription] { hierarchy.model.entities.filter { mirrored.contains($0.name) } }

  /// The attributes and relationships that are mirrored, each with its entity.
  var relationships: [(entity: EntityDescription, relationship: RelationshipDescription)] {
    entities.flatMap { entity in entity.relationships.filter { !$0.isTransient }.map { (entity, $0) } }
  }

  /// The attributes that are mirrored, each with its entity.
  var attributes: [(entity: EntityDescription, attribute: AttributeDescription)] {
    entities.flatMap { entity in
      entity.attributes.filter { !$0.isTransient && $0.derivation == nil }.map { (entity, $0) }
    }
  }

  /// A finding at an element of the model.
  func finding(
    _ element: ModelElement, _ message: String, fix: Advice? = nil, edits: [[String]] = []
  ) -> RuleFinding {
    let isNext = !canChange && isReleased
    let advice = isNext ? fix.map { "in the next version: \($0)" as Advice } : fix
    return RuleFinding(
      element, message, fix: advice, edits: isNext ? [] : edits, at: file.location(of: element))
  }
}

extension CheckedProject {
  /// Adds the containers of a configuration.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the project.
  ///   - base: the earlier state to compare with, whose files must exist.
  mutating func addContainers(of configuration: CheckConfiguration, base: HistoryBase?) {
    for container in configuration.containers {
      do {
        let wanted = Set(container.bundles.map { RealPath.of(configuration.path(of: $0)) })
        func isWanted(_ path: String) -> Bool { wanted.isEmpty || wanted.contains(RealPath.of(path)) }
        let mirrored =
          try bundles.filter { isWanted($0.bundle.path) }.compactMap(\.history)
          .flatMap { try MirroredModel.all(of: $0, container) }
          + models.filter { isWanted($0.path) }.compactMap { try MirroredModel.model($0, container) }
        // The check of a part of the project need not be about the container.
        if mirrored.isEmpty { continue }
        let place = container.schema.map(configuration.path)
        let export = try place.map { try Self.export(at: $0, container) }
        if export == nil { notes.append(Self.exportNote(for: container)) }
        if let export, container.environment != "production" {
          notes.append(
            "\(export.path) is an export of \(container.environment): production may lack its types and fields")
        }
        let earlier = place.flatMap { place in
          base.flatMap { base in
            // An earlier export that is missing or has a fault shows nothing.
            let earlier = try? CheckedContainer.Export(at: base.path(place), named: place)
            return earlier.flatMap { $0.faults.isEmpty ? ($0.schema, base.name) : nil }
          }
        }
        containers.append(
          CheckedContainer(configuration: container, export: export, earlier: earlier, models: mirrored))
      } catch {
        errors.append(error)
      }
    }
    guard configuration.containers.isEmpty else { return }
    let hints = bundles.compactMap(\.history).filter { $0.current?.file.looksMirrored ?? false }.map(\.bundle.name)
    if !hints.isEmpty {
      notes.append(
        "\(NameList.text(hints)): CloudKit may mirror the stores of this model; to check its schema, add “cloudKit” to "
          + "\(CheckConfiguration.fileName)")
    }
  }

  private static func export(
    at path: String, _ container: ConfiguredContainer
  ) throws -> CheckedContainer.Export {
    guard FileManager.default.fileExists(atPath: path) else {
      throw JSONFileError(
        .wrongValue("“\(path)” does not exist; export the schema of the container, or remove “schema”"),
        at: container.schemaLocation)
    }
    return try CheckedContainer.Export(at: path)
  }

  private static func exportNote(for container: ConfiguredContainer) -> String {
    """
    “cloudKit” names no export, so the rules compare nothing with \(container.environment); on a Mac, run: xcrun cktool \
    export-schema --team-id TEAM --container-id iCloud.ID --environment \(container.environment) --output-file \
    schema.ckdb; then set “schema” to the path of the file
    """
  }
}

extension MirroredModel {
  /// The current version of a bundle and its versions that can still change.
  fileprivate static func all(of history: BundleHistory, _ container: ConfiguredContainer) throws -> [MirroredModel] {
    try history.versions.enumerated().compactMap { position, version in
      let isCurrent = version.name == history.bundle.currentVersionName
      let canChange = history.canChange(version.name)
      guard isCurrent || canChange else { return nil }
      let released = history.versions.prefix(position).reversed().filter { history.isReleased($0.name) }
      return try make(
        version.file, version.name, version.hierarchy, container, isCurrent: isCurrent,
        isReleased: history.isReleased(version.name), canChange: canChange,
        released: released.map { version in
          let mirrored = members(of: container, in: version.hierarchy)
          return (version.name, version.hierarchy, MirroredSchema(of: version.hierarchy, entities: mirrored))
        })
    }
  }

  /// A model without a bundle; nil if its entities do not form a hierarchy, which other rules report.
  fileprivate static func model(_ file: ModelFile, _ container: ConfiguredContainer) throws -> MirroredModel? {
    guard let hierarchy = try? EntityHierarchy(file.model) else { return nil }
    return try make(
      file, file.path, hierarchy, container, isCurrent: true, isReleased: false, canChange: true, released: [])
  }

  private static func make(
    _ file: ModelFile, _ name: String, _ hierarchy: EntityHierarchy, _ container: ConfiguredContainer,
    isCurrent: Bool, isReleased: Bool, canChange: Bool,
    released: [(name: String, hierarchy: EntityHierarchy, schema: MirroredSchema)]
  ) throws -> MirroredModel {
    let members = members(of: container, in: hierarchy)
    if let wanted = container.configuration, members == nil, isCurrent {
      let known = hierarchy.model.configurations.map(\.name)
      throw JSONFileError(
        .wrongValue(
          "\(file.path) has no configuration “\(wanted)”; "
            + (known.isEmpty ? "remove “configuration”" : "write one of: \(NameList.text(known))")),
        at: container.configurationLocation)
    }
    return MirroredModel(
      file: file, name: name, hierarchy: hierarchy, schema: MirroredSchema(of: hierarchy, entities: members),
      mirrored: members ?? Set(hierarchy.model.entities.map(\.name)), isCurrent: isCurrent, isReleased: isReleased,
      canChange: canChange, released: released)
  }

  /// The names of the entities of the mirrored configuration; nil for all.
  private static func members(of container: ConfiguredContainer, in hierarchy: EntityHierarchy) -> Set<String>? {
    guard let wanted = container.configuration else { return nil }
    return hierarchy.model.configurations.first { $0.name == wanted }.map { Set($0.entityNames) }
  }
}
