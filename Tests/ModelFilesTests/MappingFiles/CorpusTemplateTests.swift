import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing

/// Writes a new mapping file between neighbouring versions of the corpus.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusTemplateTests {
  @Test func everyTemplateIsReadAndMeansWhatInferenceDoes() throws {
    guard let folder = Corpus.folder else { return }
    var all: [(name: String, former: EntityHierarchy, latter: EntityHierarchy)] = []
    for bundle in ModelBundle.discover(under: folder.appendingPathComponent("models").path) {
      let versions = bundle.versions.compactMap { version in
        (try? version.load()).flatMap { try? EntityHierarchy($0.model) }
      }
      all += zip(versions, versions.dropFirst()).map { (bundle.name, $0, $1) }
    }
    let pairs = CorpusSample.of(all, atMost: 15)
    var (compared, bytes) = (0, 0)
    for (name, former, latter) in pairs {
      let text = MappingFileWriter.template(
        from: former, to: latter, sourceVersion: "former", destinationVersion: "latter")
      bytes += text.utf8.count
      let file = try MappingFile(Data(text.utf8), path: "\(name).xml")
      let resolved = try file.resolved(from: former, to: latter)
      for problem in resolved.findings(from: former, to: latter) where problem.severity == .error {
        if case .unfilledRequired = problem.kind { continue }
        Issue.record("\(name): \(problem)")
      }
      guard (try? MappingModel.inferred(from: former, to: latter)) != nil else { continue }
      compared += 1
      let inferred = try WrittenMappingModel().resolved(from: former, to: latter)
      #expect(resolved.inOrder(of: inferred) == inferred, "\(name)\n\(text)")
    }
    print(
      "templates: \(CorpusSample.scope(pairs.count, of: all.count)) pairs of versions, \(bytes) bytes,",
      "\(compared) compared with inference")
    #expect(compared > CorpusSample.least(50, sampled: 12))
  }
}
