import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

/// The file of a mapping model of a bundle, with everything found in it.
struct InspectedMapping: Sendable {
  let path: String
  /// The location of the start of the mapping model.
  let start: SourceLocation
  let findings: [Finding]
  /// The name of its source version; nil if the version is not here.
  let source: String?
  /// The name of its destination version; nil if the version is not here.
  let destination: String?
  /// True for an Xcode mapping model that Core Data does not use any more, because its versions were edited.
  let isDrifted: Bool

  /// Inspects a file of a bundle; an unusable file is a finding too.
  init(_ reading: UnmatchedMappingModel, among index: VersionIndex, for reader: MigrationReader) {
    path = reading.path
    let begin = Self.start(of: reading)
    start = begin
    let findings: [Finding]
    var inspection: MappingInspection?
    do {
      let found = try MappingInspection(reading, among: index)
      inspection = found
      findings = try Self.findings(in: found, at: begin, for: reader)
    } catch let error as MappingFileError {
      findings = [Self.finding(error.rule, error.words, at: error.location)]
    } catch let error as UnusableMapping {
      findings = [Self.finding(.withoutPath, error.words, at: Self.place(error.location, error.file, in: begin))]
    } catch let error as ModelFileError {
      findings = [Self.finding(.unreadable, error.words, at: Self.place(error.location, error.path, in: begin))]
    } catch {
      findings = [Self.finding(.unreadable, ErrorWords(error.localizedDescription), at: begin)]
    }
    self.findings = findings
    source = inspection?.sourceHere?.name
    destination = inspection?.destinationHere?.name
    isDrifted = !(inspection?.drift.isEmpty ?? true)
  }

  /// The location of the start of a mapping model, in the file inside its bundle if it is a bundle.
  private static func start(of reading: UnmatchedMappingModel) -> SourceLocation {
    switch try? reading.content.get() {
    case .document(let file): file.location(of: .model)
    case .xcode(let file, _): SourceLocation(file: file.path, line: 1, column: 1)
    default: SourceLocation(file: reading.path, line: 1, column: 1)
    }
  }

  /// The findings about a mapping model, one per cause.
  private static func findings(
    in inspection: MappingInspection, at location: SourceLocation, for reader: MigrationReader
  ) throws -> [Finding] {
    guard inspection.sourceHere != nil, inspection.destinationHere != nil else {
      return [
        Finding(
          rule: MappingRule.withoutPath.rawValue, severity: .note, element: .model, location: location,
          message: "\(inspection.missingVersions) is not in this project, so this mapping model is never used",
          fix: "restore its versions, or name its versions as they are now; keep it while users have stores of either")
      ]
    }
    guard inspection.drift.isEmpty else { return [Finding(driftOf: inspection, at: location, for: reader)] }
    let all = try inspection.findings(runBy: .app)
    let drifts = all.filter { $0.rule == MappingRule.drift.rawValue }
    return [Finding(ofStatedHashes: drifts)].compactMap(\.self) + all.filter { $0.rule != MappingRule.drift.rawValue }
  }

  private static func finding(_ rule: MappingRule, _ words: ErrorWords, at location: SourceLocation) -> Finding {
    Finding(
      rule: rule.rawValue, severity: rule == .withoutPath ? .warning : .error, element: .model, location: location,
      message: words.cause, fix: words.advice)
  }

  /// The location of an error in the file or bundle of a mapping model; its start if the error is in a different file.
  private static func place(_ place: SourceLocation?, _ file: String?, in begin: SourceLocation) -> SourceLocation {
    guard let file = place?.file ?? file, [begin.file, begin.file + "/xcmapping.xml"].contains(file) else {
      return begin
    }
    return place ?? SourceLocation(file: file, line: begin.line, column: begin.column)
  }
}

extension MappingFileError {
  /// The rule that a file breaks if it does not fit its two models.
  fileprivate var rule: MappingRule {
    guard case .resolution(let error) = reason else { return .unreadable }
    return switch error.reason {
    case .noEntity: .withoutEntities
    case .unknownEntity: .unknownEntity
    case .unknownProperty, .propertiesWithoutDestination, .unknownDrop: .unknownProperty
    case .relationshipAsAttribute, .attributeAsRelationship: .propertyKind
    case .duplicateName, .nameOfInferredMapping: .duplicateName
    case .duplicateProperty: .duplicateProperty
    case .filterWithoutSource: .filter
    case .unknownMapping: .wrongObjects
    case .noObjects: .expression
    case .noSourceRelationship, .severalMappings, .incompatibleTypes, .ambiguousProperty, .ambiguousEntity: .undecided
    }
  }
}
