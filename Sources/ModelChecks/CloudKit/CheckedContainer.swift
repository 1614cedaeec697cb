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
  /// True if the models are all that the container mirrors, and not those of a part of the project.
  let isComplete: Bool
  private let comparisons = Once<[(model: MirroredModel, result: SchemaComparison)]>()

  init(
    configuration: ConfiguredContainer, export: Export?, earlier: (schema: CloudKitSchema, name: String)?,
    models: [MirroredModel], isComplete: Bool
  ) {
    (self.configuration, self.export, self.earlier, self.models) = (configuration, export, earlier, models)
    self.isComplete = isComplete
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
  /// The versions before it in the bundle, the newest first.
  let earlier: [EntityHierarchy]
  /// The releases that it must fit, the newest first: those before it, and its own in the base.
  let released: [ReleasedModel]

  /// The entities whose properties are mirrored.
  var entities: [EntityDescription] { MirroredSchema.holders(of: mirrored, in: hierarchy) }

  /// True if a version before it has an element of this name.
  func hadEarlier(_ element: ModelElement) -> Bool {
    earlier.contains { hierarchy in
      switch element {
      case .entity(let name): hierarchy.entity(named: name) != nil
      case .property(let entity, let name):
        hierarchy.allAttributes(of: entity)[name] != nil || hierarchy.allRelationships(of: entity)[name] != nil
      default: false
      }
    }
  }

  /// The relationships that are mirrored, each with its entity.
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
  ///   - paths: the folders and bundles that are checked.
  mutating func addContainers(of configuration: CheckConfiguration, base: HistoryBase?, under paths: [String]) {
    let folder = AbsolutePath.components(configuration.path(of: "."))
    let isWhole = paths.contains { folder.starts(with: AbsolutePath.components($0)) }
    let before = base.flatMap { base in
      configuration.path.flatMap { try? CheckConfiguration(contentsOf: base.path($0)) }
    }
    for container in configuration.containers {
      do {
        let wanted = Set(container.bundles.map { RealPath.of(configuration.path(of: $0)) })
        func isWanted(_ path: String) -> Bool { wanted.isEmpty || wanted.contains(RealPath.of(path)) }
        try configuration.checkBundles(of: container)
        let own = bundles.filter { isWanted($0.bundle.path) }
        let mirrored =
          try own.compactMap(\.history).flatMap { try MirroredModel.all(of: $0, container) }
          + own.filter { $0.history == nil }.compactMap {
            try $0.currentFile.flatMap { try MirroredModel.model($0, container) }
          }
          + models.filter { isWanted($0.path) }.compactMap { try MirroredModel.model($0, container) }
        // The check of a part of the project need not be about the container.
        if mirrored.isEmpty { continue }
        let found = Set((own.map(\.bundle.path) + models.map(\.path)).map(RealPath.of))
        let place = container.schema.map(configuration.path)
        let export = try place.map { try Self.export(at: $0, container) }
        if export == nil { notes.append(Self.exportNote(for: container)) }
        if let export, container.environment != "production" {
          notes.append(
            "\(export.path) is an export of \(container.environment): production may lack its types and fields")
        }
        let earlier = place.flatMap { place in
          base.flatMap { base in
            Self.earlierExport(of: [place] + Self.onlyExport(of: before, configuration), base)
              .flatMap { $0.faults.isEmpty ? ($0.schema, base.name) : nil }
          }
        }
        containers.append(
          CheckedContainer(
            configuration: container, export: export, earlier: earlier, models: mirrored,
            isComplete: wanted.isEmpty ? isWhole : wanted.isSubset(of: found)))
      } catch {
        errors.append(error)
      }
    }
    guard configuration.containers.isEmpty else { return }
    if let base, let path = configuration.path, let before, !before.containers.isEmpty {
      notes.append("\(path) had “cloudKit” in \(base.name), and lacks it now: nothing guards the CloudKit schema")
    }
    let hints = bundles.compactMap(\.history).filter { $0.current?.file.looksMirrored ?? false }.map(\.bundle.name)
    if !hints.isEmpty {
      notes.append(
        "\(NameList.text(hints)): CloudKit may mirror the stores of this model; to check its schema, add “cloudKit” to "
          + "\(CheckConfiguration.fileName)")
    }
  }

  /// Reads the base's export, which can have another path there.
  private static func earlierExport(of paths: [String], _ base: HistoryBase) -> CheckedContainer.Export? {
    paths.lazy.compactMap { try? CheckedContainer.Export(at: base.path($0), named: paths[0]) }.first
  }

  /// The path of the export of an earlier configuration with one container.
  private static func onlyExport(of before: CheckConfiguration?, _ configuration: CheckConfiguration) -> [String] {
    guard let before, before.containers.count == 1 else { return [] }
    return before.containers.compactMap(\.schema).map(configuration.path)
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
      let earlier = history.versions.prefix(position).reversed()
      let isReleased = history.isReleased(version.name)
      // A difference between two releases cannot be corrected.
      var released = isReleased && !canChange ? [] : earlier.filter { history.isReleased($0.name) }
      if isReleased, let base = history.base?.version(named: version.name) { released.append(base) }
      return try make(
        version.file, version.name, version.hierarchy, container, isCurrent: isCurrent, isReleased: isReleased,
        canChange: canChange, earlier: earlier.map(\.hierarchy),
        released: changes(since: released, in: version.hierarchy, container))
    }
  }

  /// The releases with the entities that differ from the version and from later releases.
  ///
  /// Most entities of a bundle are the same in most versions, so that each is computed once.
  private static func changes(
    since releases: [LoadedVersion], in hierarchy: EntityHierarchy, _ container: ConfiguredContainer
  ) -> [ReleasedModel] {
    var known = Dictionary(hierarchy.model.entities.map { ($0.name, [$0]) }) { first, _ in first }
    return releases.map { release in
      let members = members(of: container, in: release.hierarchy)
      let changed = release.hierarchy.model.entities.filter { entity in
        guard members.contains(entity.name), !(known[entity.name] ?? []).contains(entity) else { return false }
        known[entity.name, default: []].append(entity)
        return true
      }
      return ReleasedModel(release.name, release.hierarchy, Set(changed.map(\.name)))
    }.filter { !$0.mirrored.isEmpty }
  }

  /// A model without a history; nil if its entities do not form a hierarchy, which other rules report.
  fileprivate static func model(_ file: ModelFile, _ container: ConfiguredContainer) throws -> MirroredModel? {
    guard let hierarchy = try? EntityHierarchy(file.model) else { return nil }
    return try make(
      file, file.path, hierarchy, container, isCurrent: true, isReleased: false, canChange: true, earlier: [],
      released: [])
  }

  private static func make(
    _ file: ModelFile, _ name: String, _ hierarchy: EntityHierarchy, _ container: ConfiguredContainer,
    isCurrent: Bool, isReleased: Bool, canChange: Bool, earlier: [EntityHierarchy], released: [ReleasedModel]
  ) throws -> MirroredModel {
    let known = hierarchy.model.configurations.map(\.name)
    if let wanted = container.configuration, isCurrent, !known.contains(wanted) {
      throw JSONFileError(
        .wrongValue(
          "\(file.path) has no configuration “\(wanted)”; "
            + (known.isEmpty ? "remove “configuration”" : "write one of: \(NameList.text(known))")),
        at: container.configurationLocation)
    }
    let members = members(of: container, in: hierarchy)
    return MirroredModel(
      file: file, name: name, hierarchy: hierarchy, schema: MirroredSchema(of: hierarchy, entities: members),
      mirrored: members, isCurrent: isCurrent, isReleased: isReleased, canChange: canChange, earlier: earlier,
      released: released)
  }

  /// The names of the mirrored entities; none if the model lacks the mirrored configuration.
  private static func members(of container: ConfiguredContainer, in hierarchy: EntityHierarchy) -> Set<String> {
    guard let wanted = container.configuration else { return Set(hierarchy.model.entities.map(\.name)) }
    return hierarchy.model.entityNames(inConfiguration: wanted) ?? []
  }
}

/// A released version of a mirrored model.
struct ReleasedModel: Sendable {
  let name: String
  let hierarchy: EntityHierarchy
  /// The names of the mirrored entities that no later release has in the same form.
  let mirrored: Set<String>
  /// The schema of these entities.
  let schema: MirroredSchema

  init(_ name: String, _ hierarchy: EntityHierarchy, _ mirrored: Set<String>) {
    (self.name, self.hierarchy, self.mirrored) = (name, hierarchy, mirrored)
    schema = MirroredSchema(of: hierarchy, entities: mirrored)
  }
}

extension CheckConfiguration {
  /// Checks that the bundles of a container exist.
  fileprivate func checkBundles(of container: ConfiguredContainer) throws(JSONFileError) {
    for (bundle, location) in zip(container.bundles, container.bundleLocations) {
      let place = path(of: bundle)
      let isBundle = ModelBundle.Form(ofPath: place) != nil && BundleLink.bundle(around: place) ?? place == place
      if isBundle, FileManager.default.fileExists(atPath: place) { continue }
      throw JSONFileError(
        .wrongValue("“\(bundle)” is not a bundle here; write its path from the folder of this file"), at: location)
    }
  }
}

extension CheckedBundle {
  /// The model of the current version.
  fileprivate var currentFile: ModelFile? {
    files.first { $0.version == bundle.currentVersionName }?.file ?? files.last?.file
  }
}
