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
    var (pairs, compared, bytes) = (0, 0, 0)
    for bundle in ModelBundle.discover(under: folder.appendingPathComponent("models").path) {
      let versions = bundle.versions.compactMap { version in
        (try? version.load()).flatMap { try? EntityHierarchy($0.model) }
      }
      for (former, latter) in zip(versions, versions.dropFirst()) {
        let text = MappingFileWriter.template(
          from: former, to: latter, sourceVersion: "former", destinationVersion: "latter")
        pairs += 1
        bytes += text.utf8.count
        let file = try MappingFile(Data(text.utf8), path: "\(bundle.name).xml")
        let resolved = try file.resolved(from: former, to: latter)
        for problem in resolved.problems(from: former, to: latter) where problem.severity == .error {
          if case .unfilledRequired = problem.kind { continue }
          Issue.record("\(bundle.name): \(problem)")
        }
        guard (try? MappingModel.inferred(from: former, to: latter)) != nil else { continue }
        compared += 1
        let inferred = try WrittenMappingModel().resolved(from: former, to: latter)
        #expect(resolved.inOrder(of: inferred) == inferred, "\(bundle.name)\n\(text)")
      }
    }
    print("templates: \(pairs) pairs of versions, \(bytes) bytes, \(compared) compared with inference")
    #expect(compared > 50)
  }
}
