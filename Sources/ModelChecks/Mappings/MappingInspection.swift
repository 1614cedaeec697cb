public import MappingModels
import ModelDescription
public import ModelFiles
import StoreMigration

/// A mapping model read from a file of any form with the two versions it is between, and what is wrong with it.
public struct MappingInspection: Sendable {
  /// The version it maps from.
  public let source: LoadedVersion
  /// The version it maps to.
  public let destination: LoadedVersion
  /// What it says; what nobody has decided is left empty.
  public let model: MappingModel
  /// What reading it had to guess or pass over.
  public let notes: [Note]
  /// How the versions changed since the mapping model was made, as far as it carries its own models.
  public let drift: [MappingDrift]
  /// The version here that it maps from, nil when none is it.
  public let sourceHere: LoadedVersion?
  /// The version here that it maps to, nil when none is it.
  public let destinationHere: LoadedVersion?

  private let path: String
  private let undecided: [MappingFileError]
  private let places: Places

  /// Where the parts of a mapping model stand.
  private enum Places {
    case document(MappingFile)
    case xcode(XcodeMappingModel)
    case none
  }

  /// Looks into a file.
  ///
  /// An Xcode mapping model carries its own models; those of the versions are only held against them.
  ///
  /// - Throws: `MappingFileError` and `ModelFileError` for a file that cannot be read, `UnusableMapping` for one whose
  ///   versions are not among these.
  public init(_ reading: MappingReading, among index: VersionIndex) throws {
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

  /// The whole mapping model.
  ///
  /// - Throws: `MappingFileError` for the first thing that nobody has decided.
  public func decided() throws(MappingFileError) -> MappingModel {
    if let first = undecided.first { throw first }
    return model
  }

  /// Who runs a mapping model.
  public enum Runner: Hashable, Sendable {
    /// The app, which has its policy classes.
    case app
    /// modelctl, which needs a replacement for each policy class.
    case modelctl
  }

  /// Both models as an Xcode mapping model carries them: the versions here, else those in the file; nil for merged versions.
  package func snapshots(
    in project: ProjectFolder
  ) -> (source: MappingModelSnapshot, destination: MappingModelSnapshot)? {
    let own: XcodeMappingModel? = if case .xcode(let file) = places { file } else { nil }
    guard let old = sourceHere?.snapshot(in: project) ?? own?.source ?? source.snapshot(in: project),
      let new = destinationHere?.snapshot(in: project) ?? own?.destination ?? destination.snapshot(in: project)
    else { return nil }
    return (old, new)
  }

  /// The names of the versions that are not here.
  var missingVersions: String {
    [(source, sourceHere), (destination, destinationHere)].filter { $0.1 == nil }.map(\.0.name)
      .joined(separator: " or ")
  }

  /// Everything that is wrong or doubtful, drift first.
  ///
  /// - Parameters:
  ///   - runner: who runs the mapping model; a policy class of the app is a note when the app does.
  ///   - standIns: what replaces policy classes besides what the file itself says.
  /// - Throws: SQLite's error when SQL cannot be asked about.
  public func findings(runBy runner: Runner = .modelctl, standIns: [String: PolicyStandIn] = [:]) throws -> [Finding] {
    let found = try findings(runBy: runner) { PolicyName.find($0, in: standIns) != nil }
    // What is looked at piece by piece is refused as a whole by the planner alone.
    guard runner == .modelctl, !found.contains(where: { $0.severity == .error }) else { return found }
    return found + [refusal(standIns)].compactMap { $0 }
  }

  /// What a migration by modelctl is refused for, whatever a store holds.
  private func refusal(_ standIns: [String: PolicyStandIn]) -> Finding? {
    let mapping = KnownMapping(path: path, source: source, destination: destination, model: model)
    guard case .mapping(let name, let refusal, _)? = mapping.planRefusal(MigrationOptions(policyStandIns: standIns))
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

  /// The destination entity or property of a finding, else the source entity, else the whole.
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
  /// The rule that a mapping model breaks which cannot be planned.
  fileprivate var rule: MappingRule {
    switch self {
    case .nameIsTaken: .duplicateName
    case .unknownSource, .unknownDestination: .unknownEntity
    case .unknownProperty: .unknownProperty
    case .propertyIsTaken: .duplicateProperty
    case .wrongObjects, .unknownMapping: .wrongObjects
    case .unknownRelationship, .noDestinationObjects, .expression: .expression
    case .missingPolicy, .missingFunctions, .unusedStandIn: .policy
    }
  }
}

extension MappingInspection {
  /// Something that reading a mapping model had to guess or pass over.
  public enum Note: Hashable, Sendable {
    /// What the file says at a place.
    case file(ModelNote)
    /// No version here is the one that a mapping model maps from or to.
    case unknownVersion(mapping: String, version: String)
  }
}

extension MappingInspection.Note: CustomStringConvertible {
  /// The place and what is to be known.
  public var description: String {
    switch self {
    case .file(let note): note.description
    case .unknownVersion(let mapping, let version):
      "\(mapping): no version here is \(version), so drift from it is not checked"
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
