import Foundation
import ModelComparison
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("Likely renames of the corpus", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusRenameTests {
  private static let neighbours: [(source: ManagedObjectModel, destination: ManagedObjectModel)] = {
    guard let folder = Corpus.folder else { return [] }
    let models = ["models", "mapping-models"].map { folder.appendingPathComponent($0).path }
    return models.flatMap(ModelBundle.discover).flatMap { bundle in
      let models = bundle.versions.compactMap { try? $0.load().model }.filter { (try? EntityHierarchy($0)) != nil }
      return zip(models, models.dropFirst()).map { (source: $0, destination: $1) }
    }
  }()

  /// The renames by a model's identifiers, by the elements of the destination.
  private func identified(_ pair: (source: ManagedObjectModel, destination: ManagedObjectModel)) throws
    -> [ModelElement]
  {
    let plain = pair.destination.withoutRenamingIdentifiers
    let (with, without) = try (
      ModelDifference(from: pair.source, to: pair.destination), ModelDifference(from: pair.source, to: plain)
    )
    let isAdded = { (change: Change) in change.kind == .added }
    let before = Set(with.changes.filter(isAdded).map(\.element))
    return without.changes.filter(isAdded).map(\.element).filter { element in
      switch element {
      case .entity: !before.contains(element)
      case .property(let entity, _): !before.contains(element) && !before.contains(.entity(entity))
      default: false
      }
    }
  }

  @Test("Every rename with an identifier is found when the identifier is taken away")
  func found() throws {
    var count = 0
    for pair in CorpusSample.of(Self.neighbours, atMost: 120) {
      let renamed = try identified(pair)
      guard !renamed.isEmpty else { continue }
      let likely = try ModelDifference.likelyRenames(
        from: pair.source, to: pair.destination.withoutRenamingIdentifiers)
      for element in renamed { #expect(likely[element] != nil, "\(element)") }
      count += renamed.count
    }
    print("\(count) renames with an identifier in \(Self.neighbours.count) pairs of versions")
    #expect(count > CorpusSample.least(3, sampled: 0))
  }

  @Test("Two properties of one version are not taken for one property, unless their names or positions show it")
  func others() throws {
    let models = CorpusSample.of(Self.neighbours.map(\.destination), atMost: 1)
    var (count, wrong) = (0, 0)
    var named: Set<String> = []
    for model in models {
      for (position, entity) in model.entities.enumerated() {
        let attributes = entity.attributes.filter { $0.derivation == nil }
        for first in attributes {
          for second in attributes where first.name != second.name && first.type == second.type {
            var (source, destination) = (model, model)
            source.entities[position].attributes.removeAll { $0.name == second.name }
            destination.entities[position].attributes.removeAll { $0.name == first.name }
            let isBeside = abs(index(of: first, in: entity) - index(of: second, in: entity)) == 1
            guard !isBeside else { continue }
            count += 1
            let likely = try ModelDifference.likelyRenames(from: source, to: destination)
            guard likely[ModelElement.property(entity: entity.name, name: second.name)] != nil else { continue }
            wrong += 1
            named.insert("\(first.name) → \(second.name)")
          }
        }
      }
    }
    print("\(wrong) of \(count) pairs of different properties look like a rename: \(named.sorted().prefix(60))")
    #expect(count > 20)
    #expect(wrong * 10 < count)
  }

  private func index(of attribute: AttributeDescription, in entity: EntityDescription) -> Int {
    entity.attributes.firstIndex { $0.name == attribute.name } ?? 0
  }
}

extension ManagedObjectModel {
  fileprivate var withoutRenamingIdentifiers: ManagedObjectModel {
    var model = self
    for entity in model.entities.indices {
      model.entities[entity].renamingIdentifier = nil
      for position in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[position].renamingIdentifier = nil
      }
      for position in model.entities[entity].relationships.indices {
        model.entities[entity].relationships[position].renamingIdentifier = nil
      }
    }
    return model
  }
}
