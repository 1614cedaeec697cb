import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing

/// Converts every mapping model of the corpus and reads it back.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusConversionTests {
  @Test func everyMappingModelComesBackEqual() throws {
    let all = Corpus.files(in: "mapping-models") { $0.hasSuffix("xcmapping.xml") }
    let bundles = CorpusSample.of(all, atMost: 10)
    var (written, inferred, bytes) = (0, 0, 0)
    for bundle in bundles {
      let file = try XcodeMappingModel(contentsOf: bundle.path)
      let mapping = try file.compiled()
      let source = try EntityHierarchy(file.source.model)
      let destination = try EntityHierarchy(file.destination.model)
      let text = MappingFileWriter.text(
        of: mapping, from: source, to: destination, sourceVersion: file.source.versionName,
        destinationVersion: file.destination.versionName)
      bytes += text.utf8.count
      do {
        let read = try MappingFile(Data(text.utf8), path: "\(bundle.path).converted.xml")
        #expect(try read.resolved(from: source, to: destination) == mapping, "\(bundle.path)\n\(text)")
        for entity in read.written.entityMappings {
          written += entity.attributes.count + entity.relationships.count
        }
      } catch {
        Issue.record("\(error)")
      }
      for entity in mapping.entityMappings {
        inferred += entity.attributeMappings.count + entity.relationshipMappings.count
      }
    }
    print("converted mapping models: \(bundles.count), \(bytes) bytes; \(written) of \(inferred) properties written")
    #expect(all.count == 45)
  }
}
