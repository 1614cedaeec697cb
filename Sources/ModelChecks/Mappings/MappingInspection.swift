public import MappingModels
import ModelDescription
public import ModelFiles
import StoreMigration

/// A mapping model from a file of any format, with its two versions and its findings.
public struct MappingInspection: Sendable {
  /// The version it maps from.
  public let source: LoadedVersion
  /// The version it maps to.
  public let destination: LoadedVersion
  /// The mapping model; undecided parts are empty.
  public let model: MappingModel
  /// The notes about guesses and skipped parts of the file.
  public let notes: [Note]
  /// The changes of its versions since it was made, if it contains its own models.
  public let drift: [MappingDrift]
  /// The source version in the project; nil if it is not there.
  public let sourceHere: LoadedVersion?
  /// The destination version in the project; nil if it is not there.
  public let destinationHere: LoadedVersion?

  private let path: String
  private let undecided: [MappingFileError]
  private let places: Places

  /// The source of the locations of its parts.
  private enum Places {
    case document(MappingFile)
    case xcode(XcodeMappingModel)
    case none
  }

  /// Inspects a file.
  ///
  /// An Xcode mapping model contains its own models. The models of the versions are only compared with them.
  ///
  /// - Throws: `MappingFileError` and `ModelFileError` for a file that cannot be read, `UnusableMapping` for a file whose
  ///   versions are unknown.
  public init(_ reading: UnmatchedMappingModel, among index: VersionIndex) throws {
    path = reading.path
    switch try reading.content.get() {
    case .xcode(let file, let compiled):
      let compilation = try compiled.get()
      (model, places, undecided) = (compilation.mapping, .xcode(file), [])
      source = LoadedVersion(bundle: path, snapshot: file.source)
      destination = LoadedVersion(bundle: path, snapshot: file.destination)
      let named = KnownMapping.versions(mappedBy: file, among: index)
      (sourceHere, destinationHere) = named
      drift = try file.drift(
        source: named.source.flatMap { $0.versionHashes == file.source.hashes ? nil : $0.hierarchy },
        destination: named.destination.flatMap { $0.versionHashes == file.destination.hashes ? nil : $0.hierarchy })
      let missing = [(file.source, named.source), (file.destination, named.destination)].filter { $0.1 == nil }
      let path = path
      notes =
        (file.notes + compilation.notes).map(Note.file)
        + missing.map { Note.unknownVersion(mapping: path, version: $0.0.versionPath) }
    case .compiled(let file):
      let mapping = try KnownMapping.only(in: reading, among: index)
      (model, source, destination) = (file.mapping, mapping.source, mapping.destination)
      (sourceHere, destinationHere) = (source, destination)
      (notes, drift, undecided, places) = (file.notes.map(Note.file), [], [], .none)
    case .document(let file):
      (source, destination) = try KnownMapping.versions(namedBy: file, among: index)
      (sourceHere, destinationHere) = (source, destination)
      let resolved = try file.resolvedAsFarAsPossible(from: source.hierarchy, to: destination.hierarchy)
      (model, undecided) = (resolved.model, resolved.undecided)
      (notes, drift, places) = ([], [], .document(file))
    }
  }

  /// The complete mapping model.
  ///
  /// - Throws: `MappingFileError` for the first undecided part.
  public func decided() throws(MappingFileError) -> MappingModel {
    if let first = undecided.first { throw first }
    return model
  }

  /// The program that runs a mapping model.
  public enum Runner: Hashable, Sendable {
    /// The app, which has its policy classes.
    case app
    /// modelctl, which needs a replacement for each policy class.
    case modelctl
  }

  /// Both models for an Xcode mapping model: the versions of the project, or else of the file; nil for merged versions.
  package func snapshots(
    in project: ProjectFolder
  ) -> (source: MappingModelSnapshot, destination: MappingModelSnapshot)? {
    let own: XcodeMappingModel? = if case .xcode(let file) = places { file } else { nil }
    guard let old = sourceHere?.snapshot(in: project) ?? own?.source ?? source.snapshot(in: project),
      let new = destinationHere?.snapshot(in: project) ?? own?.destination ?? destination.snapshot(in: project)
    else { return nil }
    return (old, new)
  }

  /// The names of its versions that are not in the project.
  var missingVersions: String {
    [(source, sourceHere), (destination, destinationHere)].filter { $0.1 == nil }.map(\.0.name)
      .joined(separator: " or ")
  }

  /// All findings about the mapping model, drift first.
  ///
  /// - Parameters:
  ///   - runner: the program that runs the mapping model; for the app, its policy classes are notes.
  ///   - replacements: the replacements of policy classes besides those in the file.
  /// - Throws: the error of SQLite if SQL cannot be checked.
  public func findings(runBy runner: Runner = .modelctl, replacements: [String: PolicyReplacement] = [:]) throws
    -> [Finding]
  {
    let found = try findings(runBy: runner) { PolicyName.find($0, in: replacements) != nil }
    // The planner can refuse the complete mapping model even if each of its parts is sound.
    guard runner == .modelctl, !found.contains(where: { $0.severity == .error }) else { return found }
    return found + [refusal(replacements)].compactMap { $0 }
  }

  /// The finding about a refusal by modelctl that does not depend on the store.
  private func refusal(_ replacements: [String: PolicyReplacement]) -> Finding? {
    let mapping = KnownMapping(path: path, source: source, destination: destination, model: model)
    guard
      case .mapping(let name, let refusal, _)? = mapping.planRefusal(MigrationOptions(policyReplacements: replacements))
    else { return nil }
    return Finding(
      rule: refusal.rule.rawValue, severity: .error, element: .model, location: location(mapping: name, property: nil),
      message: "entity mapping \(name): \(refusal.cause)", fix: refusal.advice)
  }

  private func findings(runBy runner: Runner, hasPolicy: (String) -> Bool) throws -> [Finding] {
    let mappingFindings = model.findings(from: source.hierarchy, to: destination.hierarchy, hasPolicy: hasPolicy)
    return drift.map { Finding($0, location: location(mapping: nil, property: nil)) }
      + undecided.map { Finding(undecided: $0) }
      + openDecisions.map { Finding(open: $0) }
      + mappingFindings.compactMap { found in
        var finding = Finding(
          found, about: element(of: found),
          location: location(mapping: found.mapping, property: found.property))
        if runner == .app, case .missingPolicy = found.kind { finding?.severity = .note }
        return finding
      }
      + (try Finding.snippets(in: model, from: source.hierarchy) { location(mapping: $0, property: $1) })
  }

  /// The destination entity or property of a finding; if it has none, the source entity or the model.
  private func element(of finding: MappingFinding) -> ModelElement {
    let mapping = finding.mapping.flatMap(model.entityMapping(named:))
    guard let entity = mapping?.destination ?? mapping?.source else { return .model }
    return finding.property.map { .property(entity: entity, name: $0) } ?? .entity(entity)
  }

  /// The decisions that a mapping file marks as open.
  public var openDecisions: [MappingFile.OpenDecision] {
    if case .document(let file) = places { file.openDecisions } else { [] }
  }

  private func location(mapping: String?, property: String?) -> SourceLocation {
    switch places {
    case .document(let file): file.location(ofMapping: mapping, property: property)
    case .xcode(let file): file.location(ofMapping: mapping, property: property)
    case .none: SourceLocation(file: path, line: 1, column: 1)
    }
  }
}

extension MappingRefusal {
  /// The rule that the refused mapping model breaks.
  fileprivate var rule: MappingRule {
    switch self {
    case .nameIsTaken: .duplicateName
    case .unknownSource, .unknownDestination: .unknownEntity
    case .unknownProperty: .unknownProperty
    case .propertyIsTaken: .duplicateProperty
    case .wrongObjects, .unknownMapping: .wrongObjects
    case .unknownRelationship, .noDestinationObjects, .expression, .tooManyLinks: .expression
    case .missingPolicy, .missingFunctions, .unusedReplacement: .policy
    }
  }
}

extension MappingInspection {
  /// A note about a guess or a skipped part in a mapping model.
  public enum Note: Hashable, Sendable {
    /// A note about the file.
    case file(ModelNote)
    /// The source or destination version of a mapping model is not in the project.
    case unknownVersion(mapping: String, version: String)
  }
}

extension MappingInspection.Note: CustomStringConvertible {
  /// The location and the note.
  public var description: String {
    switch self {
    case .file(let note): note.description
    case .unknownVersion(let mapping, let version):
      "\(mapping): \(version) is not in this project, so drift from it is not checked"
    }
  }
}

extension LoadedVersion {
  fileprivate init(bundle: String, snapshot: MappingModelSnapshot) {
    self.init(
      bundle: bundle, name: snapshot.versionName, isCurrent: false, hierarchy: snapshot.hierarchy,
      versionHashes: snapshot.hashes)
  }
}
