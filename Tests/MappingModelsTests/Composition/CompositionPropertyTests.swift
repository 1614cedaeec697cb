import MappingModels
import ModelDescription
import TestSupport
import Testing

@Suite("A direct migration equals step by step")
struct CompositionPropertyTests {
  /// Five versions made by random edits, each inferable from the one before.
  private static func chain(seed: UInt64) throws -> [EntityHierarchy] {
    var edits = ModelEdits(random: SeededGenerator(seed: seed))
    var chain = [try EntityHierarchy(ModelEdits.start)]
    var attempts = 0
    while chain.count < 5, attempts < 200 {
      attempts += 1
      guard let last = chain.last, let next = try? EntityHierarchy(edits.edit(last.model)),
        (try? MappingModel.inferred(from: last, to: next)) != nil
      else { continue }
      chain.append(next)
    }
    return chain
  }

  private static func rows(of hierarchy: EntityHierarchy, seed: UInt64, mostLinks: Int) -> RowStore {
    var random = SeededGenerator(seed: seed)
    var store = RowStore()
    let entities = hierarchy.numberedEntities
    for key in 0..<40 {
      let entity = entities[key % entities.count].name
      var row = RowStore.Row(entity: entity)
      for path in hierarchy.allAttributes(of: entity).keys.sorted() {
        row.values[path] = .some(Bool.random(using: &random) ? "\(path) \(key)" : nil)
      }
      store.rows[key] = row
    }
    for key in store.rows.keys.sorted() {
      let entity = store.rows[key]?.entity ?? ""
      for (name, declared) in hierarchy.allRelationships(of: entity).sorted(by: { $0.key < $1.key }) {
        let targets = store.rows.filter {
          hierarchy.isEntity($0.value.entity, kindOf: declared.property.destinationEntityName ?? "")
        }
        let count = Int.random(in: 0...(declared.property.isToMany ? mostLinks : 1), using: &random)
        store.rows[key]?.links[name] = Array(targets.keys.sorted().shuffled(using: &random).prefix(count))
      }
    }
    return store
  }

  @Test(
    "the composed mapping makes the rows that the single steps make",
    arguments: 0..<(CorpusSample.isWhole ? 300 : 100) as Range<UInt64>)
  func composedEqualsSteps(seed: UInt64) throws {
    let chain = try Self.chain(seed: seed)
    try #require(chain.count == 5)
    var composed = try MappingModel.inferred(from: chain[0], to: chain[1])
    let stores = [Self.rows(of: chain[0], seed: seed, mostLinks: 1), Self.rows(of: chain[0], seed: seed, mostLinks: 5)]
    var stepped = stores.map { $0.applying(composed, from: chain[0], to: chain[1]) }
    for position in 2..<chain.count {
      let step = try MappingModel.inferred(from: chain[position - 1], to: chain[position])
      composed = try composed.composed(
        with: step,
        from: chain[0],
        through: chain[position - 1],
        to: chain[position]
      )
      stepped = stepped.map { $0?.applying(step, from: chain[position - 1], to: chain[position]) }
      for (start, expected) in zip(stores, stepped) {
        guard let expected else { continue }
        #expect(start.applying(composed, from: chain[0], to: chain[position]) == expected)
      }
      #expect(stepped[0] != nil, "a set of at most one is never refused")
    }
  }

  @Test(
    "it does not matter which steps are joined first",
    arguments: 0..<(CorpusSample.isWhole ? 300 : 100) as Range<UInt64>
  )
  func compositionIsAssociative(seed: UInt64) throws {
    let chain = try Self.chain(seed: seed)
    try #require(chain.count == 5)
    let steps = try (1..<chain.count).map { try MappingModel.inferred(from: chain[$0 - 1], to: chain[$0]) }
    let left = try steps[0].composed(with: steps[1], from: chain[0], through: chain[1], to: chain[2])
      .composed(with: steps[2], from: chain[0], through: chain[2], to: chain[3])
    let right = try steps[0].composed(
      with: steps[1].composed(with: steps[2], from: chain[1], through: chain[2], to: chain[3]),
      from: chain[0],
      through: chain[1],
      to: chain[3]
    )
    #expect(left == right)
  }
}
