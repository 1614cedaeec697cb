import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("Inference between the corpus' versions", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusInferenceTests {
  @Test("every neighbouring pair is inferred or refused with a reason; every chain composes")
  func neighbours() throws {
    guard let folder = Corpus.folder else { return }
    var inferred = 0
    var refused: [String: Int] = [:]
    var requirements: [String: Int] = [:]
    var composed = 0
    for bundle in ModelBundle.discover(under: folder.appendingPathComponent("models").path) {
      let versions = bundle.versions.compactMap { version in
        (try? version.load()).flatMap { try? EntityHierarchy($0.model) }
      }
      var start: EntityHierarchy?
      var chain: MappingModel?
      for (former, latter) in zip(versions, versions.dropFirst()) {
        do throws(InferenceRefusal) {
          let mapping = try MappingModel.inferred(from: former, to: latter)
          inferred += 1
          #expect(mapping.entityMappings.compactMap(\.destination).count == latter.model.entities.count)
          for requirement in mapping.requirements(source: former, destination: latter) {
            requirements[requirement.reason, default: 0] += 1
          }
          _ = mapping.losses(source: former, destination: latter)
          if let first = chain, let start {
            chain = try? first.composed(with: mapping, from: start, through: former, to: latter)
            #expect(chain != nil, "\(bundle.name)")
            composed += 1
          } else {
            (start, chain) = (former, mapping)
          }
        } catch {
          refused[error.reason, default: 0] += 1
          print("\(bundle.name): \(error)")
          (start, chain) = (nil, nil)
        }
      }
    }
    print("inferred \(inferred), composed \(composed), refused \(refused)")
    print("requirements \(requirements)")
    #expect(inferred > 100)
  }
}
