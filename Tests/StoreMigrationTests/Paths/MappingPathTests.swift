import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// The parts of a path with custom mapping models.
@Suite("Ways over mapping models")
struct MappingPathTests {
  /// Six versions; only 3 → 4 cannot be inferred, because a text becomes a date.
  private static let versions: [LoadedVersion] = {
    let attributes: [[AttributeDescription]] = [
      [.optional("when")],
      [.optional("when"), .optional("a")],
      [.optional("when"), .optional("a"), .optional("b")],
      [.optional("when", .date), .optional("a"), .optional("b")],
      [.optional("when", .date), .optional("b")],
      [.optional("when", .date), .optional("b"), .optional("c")],
    ]
    return attributes.enumerated().compactMap { position, attributes in
      try? LoadedVersion(
        bundle: "Test.xcdatamodeld", name: "v\(position + 1)", isCurrent: position == 5,
        model: ManagedObjectModel(entities: [.entity("Event", attributes)]))
    }
  }()

  private static func mapping(_ source: Int, _ destination: Int, name: String = "map") -> KnownMapping {
    KnownMapping(
      path: "\(name)\(source)-\(destination)", source: versions[source - 1], destination: versions[destination - 1],
      model: MappingModel(entityMappings: [
        EntityMapping(name: name, kind: .copy, source: "Event", destination: "Event")
      ]))
  }

  /// The parts in words: versions, and the mapping's path where there is one.
  private func parts(
    _ source: Int, _ destination: Int, _ mappings: [KnownMapping], unusable: [UnusableMapping] = [],
    isDirect: Bool = false
  ) throws -> [String] {
    let versions = Self.versions
    let migrationPath = try MigrationPathFinder(mappings: mappings, unusable: unusable, isDirect: isDirect)
      .migrationPath(from: versions[source - 1], to: versions[destination - 1], among: versions)
    return migrationPath.parts.map { part in
      let way = part.versions.map { String($0.name.dropFirst()) }.joined()
      return part.mappingPath.map { "\(way) \($0)" } ?? way
    }
  }

  @Test(
    "Steps and chains are remembered by all that decides about them: hashes, identifiers, defaults, written mappings")
  func remembered() throws {
    func version(_ name: String, _ attributes: [AttributeDescription]) throws -> LoadedVersion {
      try LoadedVersion(
        bundle: "Test.xcdatamodeld", name: name, isCurrent: false,
        model: ManagedObjectModel(entities: [.entity("Event", attributes)]))
    }
    let old = try version("v1", [.optional("a"), .optional("b")])
    func named(_ identifier: String?) throws -> LoadedVersion {
      try version("v2", [.optional("c", was: identifier), .optional("d")])
    }
    let last = try version("v3", [.optional("c"), .optional("d"), .optional("e")])
    func defaulted(_ value: String) throws -> LoadedVersion {
      try version("v2", [.required("c", default: .string(value)), .optional("d")])
    }
    // All have one name, and those in a row the same hashes.
    let versions = try [
      named("a"), named("b"), named(nil), version("v2", [.optional("c", .date), .optional("d")]), defaulted("x"),
      defaulted("y"),
    ]
    #expect(Set(versions[..<3].map(\.versionHashes)).count == 1 && Set(versions[4...].map(\.versionHashes)).count == 1)
    let shared = MigrationPathFinder()
    for version in versions + versions.reversed() {
      for (destination, among) in [(version, [old, version]), (last, [old, version, last])] {
        func mapping(_ pathFinder: MigrationPathFinder) throws -> MappingModel? {
          try pathFinder.migrationPath(from: old, to: destination, among: among).parts.first?.mapping
        }
        #expect(try mapping(shared) == mapping(MigrationPathFinder()))
      }
    }
    let written = try ["a", "b"].map { attribute -> MappingModel? in
      let mapping = KnownMapping(
        path: "map", source: old, destination: versions[0],
        model: MappingModel(entityMappings: [
          EntityMapping(
            name: "map", kind: .transform, source: "Event", destination: "Event",
            attributeMappings: [PropertyMapping(name: "c", value: .expression(.sourceValue([attribute])))])
        ]))
      return try MigrationPathFinder(mappings: [mapping]).migrationPath(
        from: old, to: versions[0], among: [old, versions[0]]
      )
      .parts.first?.mapping
    }
    #expect(written[0] != written[1])
  }

  @Test("An explicit mapping wins over inference")
  func explicit() throws {
    #expect(try parts(1, 3, [Self.mapping(1, 3)]) == ["13 map1-3"])
    #expect(try parts(1, 3, []) == ["123"])
  }

  @Test("Inferable versions in a row are one part, a mapping model ends it")
  func segments() throws {
    #expect(try parts(1, 6, [Self.mapping(3, 4)]) == ["123", "34 map3-4", "456"])
    #expect(try parts(3, 6, [Self.mapping(3, 4)]) == ["34 map3-4", "456"])
    #expect(try parts(1, 4, [Self.mapping(3, 4)]) == ["123", "34 map3-4"])
  }

  @Test("The path with the fewest parts is taken")
  func fewest() throws {
    #expect(try parts(1, 6, [Self.mapping(3, 4), Self.mapping(1, 5)]) == ["15 map1-5", "56"])
    #expect(try parts(1, 6, [Self.mapping(3, 4), Self.mapping(2, 6)]) == ["12", "26 map2-6"])
  }

  @Test("Inference does not pass over a mapping between neighbours")
  func neighbours() throws {
    #expect(try parts(1, 3, [Self.mapping(1, 2)]) == ["12 map1-2", "23"])
  }

  @Test("Mappings lead back as well, and a cycle of them ends")
  func back() throws {
    #expect(try parts(5, 2, [Self.mapping(4, 3)]) == ["54", "43 map4-3", "32"])
    #expect(
      try parts(1, 6, [Self.mapping(3, 4), Self.mapping(4, 3), Self.mapping(2, 1)]) == ["123", "34 map3-4", "456"])
  }

  @Test("Without a mapping where one is needed, the way that cannot be inferred is refused")
  func missing() {
    #expect(throws: InferenceRefusal.self) { try parts(1, 6, [Self.mapping(5, 6)]) }
  }

  @Test("Straight means straight")
  func direct() throws {
    #expect(try parts(1, 3, [Self.mapping(1, 2)], isDirect: true) == ["13"])
    #expect(try parts(1, 3, [Self.mapping(1, 3)], isDirect: true) == ["13 map1-3"])
  }

  @Test("Two contradictory mapping models are refused, and two equal mapping models count as one")
  func several() throws {
    let twin = KnownMapping(
      path: "copy", source: Self.versions[2], destination: Self.versions[3], model: Self.mapping(3, 4).model)
    #expect(try parts(3, 4, [Self.mapping(3, 4), twin]) == ["34 map3-4"])
    #expect {
      try parts(1, 6, [Self.mapping(3, 4), Self.mapping(3, 4, name: "other")])
    } throws: { error in
      (error as? MigrationRefusal)?.words.sentence
        == "several mapping models migrate from v3 to v4: map3-4, other3-4; choose one of them: --mapping PATH"
    }
  }

  @Test("A mapping that cannot be used is not passed over in silence")
  func unusable() throws {
    let broken = UnusableMapping(
      path: "old.xml", refusal: .drifted(source: Self.versions[1], destination: Self.versions[2]),
      cause: .editedReleases(source: "v2", destination: "v3"))
    #expect {
      try parts(1, 3, [], unusable: [broken])
    } throws: { error in
      (error as? MigrationRefusal)?.words.sentence == """
        old.xml: it was made with other models than v2 and v3 are now; list the changes: modelctl mapping check old.xml; \
        or migrate without mapping models: --no-mappings
        """
    }
    #expect(try parts(3, 6, [Self.mapping(3, 4)], unusable: [broken]) == ["34 map3-4", "456"])
  }
}
