import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores

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
  init(_ reading: MappingReading, among index: VersionIndex) {
    path = reading.path
    let begin = Self.start(of: reading)
    start = begin
    let findings: [Finding]
    var inspection: MappingInspection?
    do {
      let found = try MappingInspection(reading, among: index)
      inspection = found
      findings = try Self.findings(in: found, at: begin)
    } catch let error as MappingFileError {
      findings = [Self.finding(error.rule, error.sentence, at: error.location)]
    } catch let error as UnusableMapping {
      findings = [Self.finding("mapping-without-path", error.reason, at: begin)]
    } catch let error as ModelFileError {
      findings = [Self.finding("mapping-unreadable", "\(error)", at: begin)]
    } catch {
      findings = [Self.finding("mapping-unreadable", error.localizedDescription, at: begin)]
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
  private static func findings(in inspection: MappingInspection, at location: SourceLocation) throws -> [Finding] {
    guard inspection.sourceHere != nil, inspection.destinationHere != nil else {
      return [
        Finding(
          rule: "mapping-without-path", severity: .note, element: .model, location: location,
          message: "no version here is \(inspection.missingVersions), so this mapping model is never used",
          fix: "bring its versions back, or name the versions that it is between now; keep it while users have either")
      ]
    }
    guard inspection.drift.isEmpty else { return [Finding(driftOf: inspection, at: location)] }
    let all = try inspection.findings(runBy: .app)
    let drifts = all.filter { $0.rule == "mapping-drift" }
    return [Finding(ofStatedHashes: drifts)].compactMap(\.self) + all.filter { $0.rule != "mapping-drift" }
  }

  /// A sentence that says its place itself gives it to the finding; advice after a semicolon becomes the fix.
  private static func finding(_ rule: String, _ sentence: String, at location: SourceLocation) -> Finding {
    let (place, words) = PlacedSentence(sentence, in: location).parts
    let parts = words.clauses
    return Finding(
      rule: rule, severity: rule == "mapping-without-path" ? .warning : .error, element: .model, location: place,
      message: parts[0], fix: parts.count > 1 ? parts[1] : nil)
  }
}

extension MappingFileError {
  /// The rule that a file breaks which means nothing for its two models.
  fileprivate var rule: String {
    guard case .resolution(let error) = cause else { return "mapping-unreadable" }
    return switch error.cause {
    case .noEntity: "mapping-without-entities"
    case .unknownEntity: "mapping-unknown-entity"
    case .unknownProperty, .propertiesWithoutDestination, .unknownDrop: "mapping-unknown-property"
    case .relationshipAsAttribute, .attributeAsRelationship: "mapping-property-kind"
    case .duplicateName, .nameOfInferredMapping: "mapping-duplicate-name"
    case .duplicateProperty: "mapping-duplicate-property"
    case .filterWithoutSource: "mapping-filter"
    case .unknownMapping: "mapping-wrong-objects"
    case .noObjects: "mapping-expression"
    case .noSourceRelationship, .severalMappings, .incompatibleTypes, .ambiguousProperty, .ambiguousEntity:
      "mapping-undecided"
    }
  }
}

/// A sentence that may begin with `file:line:column: ` or `file: `, where the file may be inside the one that is named.
private struct PlacedSentence {
  let parts: (location: SourceLocation, words: String)

  init(_ sentence: String, in location: SourceLocation) {
    let file = ["", "/xcmapping.xml"].map { location.file + $0 }.first { sentence.hasPrefix($0 + ":") }
    guard let file else {
      parts = (location, sentence)
      return
    }
    let location = SourceLocation(file: file, line: location.line, column: location.column)
    var rest = sentence.dropFirst(file.count + 1)
    var numbers: [Int] = []
    while numbers.count < 2, let colon = rest.firstIndex(of: ":"), let number = Int(rest[..<colon]) {
      numbers.append(number)
      rest = rest[rest.index(after: colon)...]
    }
    let place =
      numbers.count == 2 ? SourceLocation(file: location.file, line: numbers[0], column: numbers[1]) : location
    parts = (place, rest.trimmingCharacters(in: .whitespaces))
  }
}
