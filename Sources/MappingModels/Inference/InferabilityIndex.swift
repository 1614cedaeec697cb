import ModelComparison
package import ModelDescription

/// Tells between which versions inference leads, without making the mappings.
///
/// Versions of one bundle are mostly equal: what is equal in several of them is looked at once.
package struct InferabilityIndex: Sendable {
  private struct Version: Sendable {
    let hierarchy: EntityHierarchy
    let shape: Int
    let entityShapes: [String: Int]
  }

  /// Two things by their numbers.
  private struct Pair: Hashable {
    let source: Int
    let destination: Int
  }

  private let versions: [Version]
  /// The shapes of entities by their numbers.
  private let shapes: [EntityShape]
  /// Which entities continue which, nil where that is ambiguous or brings tables together.
  private var pairings: [Pair: EntityPairing?] = [:]
  private var entities: [Pair: Bool] = [:]
  private var known: [Pair: Bool] = [:]

  /// Indexes versions; they are named by their positions afterwards.
  package init(_ hierarchies: [EntityHierarchy]) {
    var modelShapes: [ModelShape: Int] = [:]
    var entityShapes: [EntityShape: Int] = [:]
    versions = hierarchies.map { hierarchy in
      Version(
        hierarchy: hierarchy, shape: Self.number(ModelShape(hierarchy), in: &modelShapes),
        entityShapes: Dictionary(
          hierarchy.model.entities.map { ($0.name, Self.number(EntityShape($0, in: hierarchy), in: &entityShapes)) },
          uniquingKeysWith: { first, _ in first }))
    }
    shapes = entityShapes.sorted { $0.value < $1.value }.map(\.key)
  }

  private static func number<Shape: Hashable>(_ shape: Shape, in numbers: inout [Shape: Int]) -> Int {
    if let number = numbers[shape] { return number }
    let number = numbers.count
    numbers[shape] = number
    return number
  }

  /// Tells whether Core Data infers a mapping from one version straight to another.
  ///
  /// - Parameters:
  ///   - source: the position of the version that stores have.
  ///   - destination: the position of the version they get.
  /// - Returns: true where ``MappingModel/inferred(from:to:options:)`` gives a mapping without options.
  package mutating func isInferable(from source: Int, to destination: Int) -> Bool {
    let pair = Pair(source: source, destination: destination)
    if let answer = known[pair] { return answer }
    let answer = examine(versions[source], versions[destination])
    known[pair] = answer
    return answer
  }

  private mutating func examine(_ source: Version, _ destination: Version) -> Bool {
    guard let pairing = pairing(source, destination) else { return false }
    var inference: MappingInference?
    for (entity, shape) in destination.entityShapes {
      guard let sourceEntity = pairing.source(ofDestination: entity),
        let sourceShape = source.entityShapes[sourceEntity]
      else {
        continue
      }
      let pair = Pair(source: sourceShape, destination: shape)
      let isInferable: Bool
      if let answer = entities[pair] {
        isInferable = answer
      } else if shapes[shape].follows(shapes[sourceShape]) {
        isInferable = true
        entities[pair] = true
      } else {
        let made = inference ?? MappingInference(from: source.hierarchy, to: destination.hierarchy)
        inference = made
        isInferable = made.infers(entity, from: sourceEntity)
        entities[pair] = isInferable
      }
      if !isInferable { return false }
    }
    return true
  }

  private mutating func pairing(_ source: Version, _ destination: Version) -> EntityPairing? {
    let pair = Pair(source: source.shape, destination: destination.shape)
    if let answer = pairings[pair] { return answer }
    let inference = MappingInference(from: source.hierarchy, to: destination.hierarchy)
    let answer = inference.pairsEntities ? inference.pairing : nil
    pairings[pair] = .some(answer)
    return answer
  }
}

extension MappingInference {
  fileprivate init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    self.init(from: source, to: destination, options: InferenceOptions())
  }

  /// True when it is clear which entities continue which, and no two tables become one.
  fileprivate var pairsEntities: Bool {
    do {
      try checkEntities()
      return true
    } catch {
      return false
    }
  }

  /// True when an entity's properties can be inferred.
  fileprivate func infers(_ entity: String, from sourceEntity: String) -> Bool {
    do {
      _ = try attributes(of: entity, from: sourceEntity)
      _ = try relationships(of: entity, from: sourceEntity)
      return true
    } catch {
      return false
    }
  }
}
