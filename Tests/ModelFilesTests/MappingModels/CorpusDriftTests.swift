import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// The mapping models of the corpus held against the model files beside them.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusDriftTests {
  /// A mapping model with the models beside it.
  private struct Entry {
    var name: String
    var file: XcodeMappingModel
    var source: EntityHierarchy
    var destination: EntityHierarchy

    static let all = Result { try CorpusSample.of(CorpusMappingModels.all(), atMost: 5).compactMap(Entry.init) }

    init?(_ entry: CorpusMappingModels.Entry) throws {
      guard let source = try entry.model("source"), let destination = try entry.model("destination") else {
        print("   no models beside", entry.name)
        return nil
      }
      (name, file, self.source, self.destination) = (entry.name, entry.file, source, destination)
    }
  }

  @Test func whatDriftedIsNamedExactlyWhereHashesDiffer() throws {
    var (drifted, sides, explained) = (0, 0, 0)
    let entries = try Entry.all.get()
    for entry in entries {
      var count = 0
      for (snapshot, model, side) in [
        (entry.file.source, entry.source, MappingSide.source),
        (entry.file.destination, entry.destination, MappingSide.destination),
      ] {
        let drifts = try MappingDrift.between(EntityHierarchy(snapshot.model), and: model, side: side)
        let isDrifted = try VersionHashes(of: model) != snapshot.hashes
        #expect(drifts.isEmpty != isDrifted, "\(entry.name)")
        #expect(!drifts.contains { $0.cause == .unexplained }, "\(entry.name)")
        guard isDrifted else { continue }
        count += 1
        explained += drifts.count
        print("   \(entry.name): \(drifts.count) changes of the \(side) model, such as: \(drifts[0])")
      }
      sides += count
      drifted += count > 0 ? 1 : 0
      let both = try entry.file.drift(source: entry.source, destination: entry.destination)
      #expect(both.isEmpty == (count == 0), "\(entry.name)")
    }
    print("mapping models: \(entries.count), drifted \(drifted), sides \(sides), changes named \(explained)")
    #expect(!entries.isEmpty)
  }

  /// Without drift and with policies, a mapping that an app shipped has no error.
  @Test func shippedMappingsHaveNoErrors() throws {
    var kinds: [String: Int] = [:]
    for entry in try Entry.all.get() {
      let mapping = try entry.file.compiled()
      let drifted = try Set(
        entry.file.drift(source: entry.source, destination: entry.destination).map { "\($0.side) \($0.entity)" })
      let problems = mapping.findings(from: entry.source, to: entry.destination) { _ in true }
      for problem in problems {
        let label = "\(problem.severity.rawValue) \(Mirror(reflecting: problem.kind).children.first?.label ?? "")"
        kinds[label, default: 0] += 1
        if problem.severity != .note { print("   \(entry.name): \(problem)") }
        if drifted.isEmpty { #expect(problem.severity != .error, "\(entry.name): \(problem)") }
      }
      let stated = problems.filter { if case .otherVersion = $0.kind { true } else { false } }
      if drifted.isEmpty { #expect(stated.isEmpty, "\(entry.name)") }
      let missing = mapping.findings(from: entry.source, to: entry.destination).filter {
        if case .missingPolicy = $0.kind { true } else { false }
      }
      #expect(Set(missing.map(\.mapping)).count == mapping.entityMappings.filter { $0.policyClassName != nil }.count)
    }
    for (kind, count) in kinds.sorted(by: { $0.key < $1.key }) { print("   \(kind) ×\(count)") }
    #expect(kinds["note unfilled"] ?? 0 > CorpusSample.least(100, sampled: 20))
  }
}
