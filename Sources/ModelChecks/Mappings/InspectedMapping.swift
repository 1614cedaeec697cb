import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

/// The file of a mapping model of a bundle, with everything found in it.
struct InspectedMapping: Sendable {
  let path: String
  /// Where the mapping model begins.
  let start: SourceLocation
  let findings: [Finding]
  /// The names of the two versions here that it is between, as far as they are here.
  let source: String?
  let destination: String?
  /// True for an Xcode mapping model that Core Data does not use any more, as its versions were edited.
  let isDrifted: Bool

  /// Looks into a file that was found for a bundle; one that cannot be used is a finding too.
  init(_ reading: MappingReading, among index: VersionIndex, for reader: MigrationReader) {
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

  /// Where a mapping model begins, in the file inside its bundle where it is one.
  private static func start(of reading: MappingReading) -> SourceLocation {
    switch try? reading.content.get() {
    case .document(let file): file.location(of: .model)
    case .xcode(let file, _): SourceLocation(file: file.path, line: 1, column: 1)
    default: SourceLocation(file: reading.path, line: 1, column: 1)
    }
  }

  /// What is wrong with a mapping model; one cause is one finding.
  private static func findings(
    in inspection: MappingInspection, at location: SourceLocation, for reader: MigrationReader
  ) throws -> [Finding] {
    guard inspection.sourceHere != nil, inspection.destinationHere != nil else {
      return [
        Finding(
          rule: MappingRule.withoutPath.rawValue, severity: .note, element: .model, location: location,
          message: "no version here is \(inspection.missingVersions), so this mapping model is never used",
          fix: "bring its versions back, or name the versions that it is between now; keep it while users have either")
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

  /// The place of an error where it is in the file, or inside the bundle, that begins at a location; else that.
  private static func place(_ place: SourceLocation?, _ file: String?, in begin: SourceLocation) -> SourceLocation {
    guard let file = place?.file ?? file, [begin.file, begin.file + "/xcmapping.xml"].contains(file) else {
      return begin
    }
    return place ?? SourceLocation(file: file, line: begin.line, column: begin.column)
  }
}

extension MappingFileError {
  /// The rule that a file breaks which means nothing for its two models.
  fileprivate var rule: MappingRule {
    guard case .resolution(let error) = reason else { return .unreadable }
    return switch error.cause {
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
