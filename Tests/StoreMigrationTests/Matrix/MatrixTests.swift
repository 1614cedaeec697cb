import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// How every version is reached from every other.
@Suite("Every pair of versions")
struct MatrixTests {
  /// Versions of one entity `Event`, named v1, v2 and so on.
  private static func versions(_ attributes: [AttributeDescription]...) -> [LoadedVersion] {
    attributes.enumerated().compactMap { position, attributes in
      try? LoadedVersion(
        bundle: "Test.xcdatamodeld", name: "v\(position + 1)", isCurrent: position == attributes.count - 1,
        model: ManagedObjectModel(entities: [.entity("Event", attributes)]))
    }
  }

  /// A text becomes a date between the third and the fourth; the second has no `when`.
  private static let broken = versions(
    [.optional("when"), .optional("a")], [.optional("a")], [.optional("when"), .optional("b")],
    [.optional("when", .date), .optional("b")], [.optional("when", .date)])

  private static func mapping(_ versions: [LoadedVersion], _ source: Int, _ destination: Int) -> KnownMapping {
    KnownMapping(
      path: "map\(source)-\(destination)", source: versions[source - 1], destination: versions[destination - 1],
      model: MappingModel(entityMappings: [
        EntityMapping(name: "EventToEvent", kind: .copy, source: "Event", destination: "Event")
      ]))
  }

  /// A verdict in words: its kind and the steps, or the step that breaks.
  private static func words(_ verdict: MigrationVerdict) -> String {
    let steps = verdict.steps.map { step in
      " \(step.source.name)→\(step.destination.name)\(step.mappingPath.map { " \($0)" } ?? "")"
    }
    let refusal = verdict.refusal.map { " \($0.source.name)→\($0.destination.name)" } ?? ""
    return verdict.kind.rawValue + steps.joined() + refusal
  }

  private func verdict(
    _ source: Int, _ destination: Int, in versions: [LoadedVersion], _ mappings: [KnownMapping] = [],
    unusable: [UnusableMapping] = []
  ) throws -> String {
    let matrix = MigrationMatrix(of: versions, mappings: mappings, unusable: unusable)
    return Self.words(try #require(matrix.verdict(from: versions[source - 1], to: versions[destination - 1])))
  }

  /// Nine versions of up to three entities, some of them equal.
  private static func random(_ generator: inout SeededGenerator) throws -> [LoadedVersion] {
    let kinds: [AttributeType?] = [nil, .string, .string, .date, .integer32]
    let versions = (0..<9).compactMap { number -> LoadedVersion? in
      let entities = ["A", "B", "C"].filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }.map { entity in
        EntityDescription.entity(
          entity,
          ["x", "y"].compactMap { name in
            kinds.randomElement(using: &generator)?.map { AttributeDescription.optional(name, $0) }
          })
      }
      return try? LoadedVersion(
        bundle: "Test.xcdatamodeld", name: "v\(number)", isCurrent: number == 8,
        model: ManagedObjectModel(entities: entities))
    }
    try #require(versions.count == 9)
    return versions
  }

  @Test("The fewest steps are those that a search from the store's version on finds", arguments: 0..<60)
  func fewestSteps(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let versions = try Self.random(&generator)
    let matrix = MigrationMatrix(of: versions)
    for (start, source) in versions.enumerated() {
      for destination in versions.dropFirst(start + 1) where source.versionHashes != destination.versionHashes {
        let verdict = try #require(matrix.verdict(from: source, to: destination))
        let names = verdict.steps.first.map { [$0.source.name] + verdict.steps.map(\.destination.name) } ?? []
        #expect(names == Self.search(from: source, to: destination, among: versions).map(\.name))
        guard verdict.kind == .impossible else { continue }
        let chain = Self.chain(from: source, to: destination, among: versions)
        let broken = zip(chain, chain.dropFirst()).first {
          (try? MappingModel.inferred(from: $0.hierarchy, to: $1.hierarchy)) == nil
        }
        #expect(verdict.refusal?.source.name == broken?.0.name)
        #expect(verdict.refusal?.destination.name == broken?.1.name)
      }
    }
  }

  @Test("Versions and mapping models before a pair and after it change nothing about it", arguments: 0..<40)
  func surroundings(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var hashes: Set<VersionHashes> = []
    let versions = try Self.random(&generator).filter { hashes.insert($0.versionHashes).inserted }
    let places = versions.indices.dropLast().filter { _ in Bool.random(using: &generator) }
    let mappings = places.map {
      Self.mapping(versions, $0 + 1, Int.random(in: ($0 + 2)...versions.count, using: &generator))
    }
    let matrix = MigrationMatrix(of: versions, mappings: mappings)
    for (start, source) in versions.enumerated() {
      for (end, destination) in versions.enumerated().dropFirst(start + 1) {
        let pair = Set(versions[start...end].map(\.name))
        let part = MigrationMatrix(
          of: Array(versions[start...end]),
          mappings: mappings.filter { pair.contains($0.source.name) && pair.contains($0.destination.name) })
        #expect(
          matrix.verdict(from: source, to: destination).map(Self.words)
            == part.verdict(from: source, to: destination).map(Self.words))
      }
    }
  }

  /// The fewest steps from one version to a later one over those between, step by step from the first.
  private static func search(
    from source: LoadedVersion, to destination: LoadedVersion, among versions: [LoadedVersion]
  ) -> [LoadedVersion] {
    let chain = chain(from: source, to: destination, among: versions)
    guard !chain.isEmpty else { return [] }
    var ways = [[0]]
    var seen: Set<Int> = []
    while !ways.isEmpty {
      var longer: [[Int]] = []
      for way in ways {
        for next in chain.indices.reversed() where next > way[way.count - 1] && !seen.contains(next) {
          let (from, to) = (chain[way[way.count - 1]].hierarchy, chain[next].hierarchy)
          guard (try? MappingModel.inferred(from: from, to: to)) != nil else { continue }
          if next == chain.count - 1 { return (way + [next]).map { chain[$0] } }
          seen.insert(next)
          longer.append(way + [next])
        }
      }
      ways = longer
    }
    return []
  }

  /// The versions from one to a later one, each with other hashes than the one before.
  private static func chain(
    from source: LoadedVersion, to destination: LoadedVersion, among versions: [LoadedVersion]
  ) -> [LoadedVersion] {
    guard let start = versions.lastIndex(where: { $0.versionHashes == source.versionHashes }),
      let end = versions.lastIndex(where: { $0.versionHashes == destination.versionHashes })
    else { return [] }
    var chain = [source]
    for version in start < end ? versions[(start + 1)..<end] : []
    where version.versionHashes != chain.last?.versionHashes && version.versionHashes != destination.versionHashes {
      chain.append(version)
    }
    return chain + [destination]
  }

  @Test("Equal hashes are the same version, with any other changes")
  func same() throws {
    let versions = Self.versions([.optional("a")], [.optional("a", default: .string("x"))], [.optional("b")])
    #expect(try verdict(1, 2, in: versions) == "same")
    #expect(try verdict(1, 3, in: versions) == "lightweight v1→v3")
  }

  @Test("A direct inference is lightweight; a path through versions is staged, with as few versions as possible")
  func inferred() throws {
    let versions = Self.versions(
      [.optional("when")], [.optional("when"), .optional("a")], [.optional("a")], [.optional("a"), .optional("b")],
      [.optional("when", .date)])
    #expect(try verdict(1, 2, in: versions) == "lightweight v1→v2")
    #expect(try verdict(1, 4, in: versions) == "lightweight v1→v4")
    #expect(try verdict(1, 5, in: versions) == "staged v1→v4 v4→v5")
    #expect(try verdict(3, 5, in: versions) == "lightweight v3→v5")
  }

  @Test("An impossible migration names the step that breaks, and the reason")
  func impossible() throws {
    let versions = Self.broken
    #expect(try verdict(3, 4, in: versions) == "impossible v3→v4")
    #expect(try verdict(3, 5, in: versions) == "impossible v3→v4")
    #expect(try verdict(1, 5, in: versions) == "staged v1→v2 v2→v5")
    let matrix = MigrationMatrix(of: versions)
    let verdict = try #require(matrix.verdict(from: versions[2], to: versions[4]))
    let reason = try #require(verdict.refusal?.reason)
    #expect(reason.hasPrefix("Event.when: Source and destination attribute types are incompatible"))
    #expect(!verdict.isReachable && !verdict.isInferable)
    #expect(matrix.inferenceRefusals(from: versions[2], to: versions[4]).first?.code?.rawValue == 134190)
    #expect(matrix.inferenceRefusals(from: versions[1], to: versions[4]).isEmpty)
  }

  @Test("A custom mapping on the path makes it mapped; the direct inference of Core Data is reported too")
  func mapped() throws {
    let versions = Self.broken
    let mapping = Self.mapping(versions, 3, 4)
    #expect(try verdict(3, 4, in: versions, [mapping]) == "mapped v3→v4 map3-4")
    #expect(try verdict(3, 5, in: versions, [mapping]) == "mapped v3→v4 map3-4 v4→v5")
    #expect(try verdict(1, 5, in: versions, [mapping]) == "mapped v1→v3 v3→v4 map3-4 v4→v5")
    let matrix = MigrationMatrix(of: versions, mappings: [Self.mapping(versions, 1, 2)])
    let verdict = try #require(matrix.verdict(from: versions[0], to: versions[1]))
    #expect(verdict.kind == .mapped && verdict.isInferable)
    #expect(verdict.steps.map(\.mappingPath) == ["map1-2"])
  }

  @Test("A mapping that cannot be used makes the way impossible, as it does for a migration")
  func unusable() throws {
    let versions = Self.broken
    let drifted = UnusableMapping(
      path: "old.xml", refusal: .drifted(source: versions[3], destination: versions[4]),
      cause: .editedReleases(source: "v4", destination: "v5"))
    #expect(try verdict(4, 5, in: versions, unusable: [drifted]) == "impossible v4→v5")
    let usable = Self.mapping(versions, 3, 4)
    #expect(try verdict(3, 5, in: versions, [usable], unusable: [drifted]) == "impossible v4→v5")
    #expect(try verdict(1, 2, in: versions, unusable: [drifted]) == "lightweight v1→v2")
    let matrix = MigrationMatrix(of: versions, unusable: [drifted])
    let verdict = try #require(matrix.verdict(from: versions[3], to: versions[4]))
    #expect(
      verdict.refusal?.reason
        == """
        old.xml: it was made with other models than v4 and v5 are now; list the changes: modelctl mapping check old.xml; \
        or migrate without mapping models: --no-mappings
        """)
  }

  @Test("The way back passes nothing")
  func back() throws {
    #expect(try verdict(2, 1, in: Self.broken) == "lightweight v2→v1")
    #expect(try verdict(5, 1, in: Self.broken) == "impossible v5→v1")
  }

  @Test("All verdicts about one version, and about all pairs")
  func lists() {
    let matrix = MigrationMatrix(of: Self.broken)
    #expect(
      matrix.verdicts(to: Self.broken[4]).map(Self.words)
        == [
          "staged v1→v2 v2→v5", "lightweight v2→v5", "impossible v3→v4", "lightweight v4→v5",
        ])
    #expect(matrix.verdicts().count == 10)
    #expect(matrix.verdicts(includingDowngrades: true).count == 20)
    let stranger = Self.versions([.optional("z")])[0]
    #expect(MigrationMatrix(of: []).verdict(from: stranger, to: stranger) == nil)
  }

  @Test("Over random versions a step is possible only if a mapping is inferred", arguments: 0..<12)
  func truth(_ seed: UInt64) throws {
    let versions = try ChainTrial(seed: seed).versions().enumerated().map { position, model in
      try LoadedVersion(bundle: "Test.xcdatamodeld", name: "v\(position)", isCurrent: false, model: model)
    }
    let matrix = MigrationMatrix(of: versions)
    for verdict in matrix.verdicts(includingDowngrades: true) {
      let mapping = try? MappingModel.inferred(
        from: verdict.source.hierarchy, to: verdict.destination.hierarchy)
      #expect(verdict.isInferable == (mapping != nil), "\(verdict.source.name) → \(verdict.destination.name)")
    }
  }

  @Test("With renaming identifiers of properties, a step is possible only if a mapping is inferred")
  func identifiers() throws {
    let kept = AttributeDescription.optional("a", was: "x")
    let versions = Self.versions(
      [kept], [kept, .optional("b", was: "a")], [kept, .optional("b", was: "y")],
      [kept, .optional("b", .date, was: "y")], [kept, .optional("c", .date, was: "x")], [kept, .optional("x", .date)],
      [.optional("y", .date)], [kept, .optional("\u{E9}", was: "z")], [kept, .optional("e\u{301}", was: "z")])
    #expect(versions.count == 9)
    for verdict in MigrationMatrix(of: versions).verdicts(includingDowngrades: true) {
      let mapping = try? MappingModel.inferred(
        from: verdict.source.hierarchy, to: verdict.destination.hierarchy)
      #expect(verdict.isInferable == (mapping != nil), "\(verdict.source.name) → \(verdict.destination.name)")
    }
  }

  @Test("A name that is spelled in other characters is refused, of an entity, an attribute and a relationship")
  func spellings() throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    let models = [(one, one, one), (two, one, one), (one, two, one), (one, one, two), (one, one, one)].map { names in
      ManagedObjectModel(entities: [
        .entity("Place", [.optional("note")]),
        .entity(names.0, [.optional(names.1)], [.toOne(names.2 + "Place", "Place", inverse: nil)]),
      ])
    }
    let versions = try models.enumerated().map { position, model in
      try LoadedVersion(bundle: "Test.xcdatamodeld", name: "v\(position)", isCurrent: false, model: model)
    }
    let verdicts = MigrationMatrix(of: versions).verdicts(includingDowngrades: true)
    for verdict in verdicts {
      let step = ModelStep(from: verdict.source.hierarchy, to: verdict.destination.hierarchy)
      #expect(verdict.isInferable == step.isInferred, "\(verdict.source.name) → \(verdict.destination.name)")
    }
    #expect(verdicts.filter { !$0.isInferable }.count > 10)
  }

  @Test("Eighty versions that grow by an attribute with a renaming identifier each are compared in a moment")
  func growth() throws {
    let versions = try (1...80).map { count in
      let attributes = (0..<count).map { AttributeDescription.optional("a\($0)", was: "b\($0)") }
      return try LoadedVersion(
        bundle: "Test.xcdatamodeld", name: "v\(count)", isCurrent: count == 80,
        model: ManagedObjectModel(entities: [.entity("Event", attributes)]))
    }
    var verdicts: [MigrationVerdict] = []
    let seconds = ProcessorTime.seconds { verdicts = MigrationMatrix(of: versions).verdicts() }
    #expect(verdicts.count == 3160)
    #expect(verdicts.filter { $0.kind != .lightweight }.map(\.source.name) == [])
    #expect(seconds < (SlowBuild.isOn ? 100 : 5))
  }
}
