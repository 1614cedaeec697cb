import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport
import Testing

@Suite("A small consistent part of a store")
struct StoreExtractionTests {
  /// Extracts, and holds the part against its store: verify is silent, objects are equal but for links to what is left out.
  @discardableResult
  private func check(
    _ path: String, _ model: ManagedObjectModel, _ request: RecordRequest, depth: Int, _ folder: TemporaryFolder
  ) throws -> StoreExtraction.Outcome {
    let hierarchy = try EntityHierarchy(model)
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let place = folder.path("part\(UUID().uuidString).sqlite")
    let outcome = try StoreExtraction(request, depth: depth).run(
      from: reader, of: hierarchy, creator: StoreCreator(of: hierarchy), to: place)
    let part = try StoreReader(path: place)
    defer { part.close() }
    // Stores of real apps have join tables whose names are not sure, which is a warning.
    #expect(try part.verify(against: hierarchy).filter { $0.severity == .error } == [], "\(path)")
    #expect(try part.metadata().versionHashes == reader.metadata().versionHashes)
    #expect(try part.metadata().uuid != reader.metadata().uuid)
    let kept = try StoreContentsList(of: part, model: hierarchy).objects
    #expect(kept.count == outcome.objects.values.reduce(0, +))
    let members = Set(kept.map(\.id))
    let changes = try DataDifference(from: reader, to: part, of: hierarchy).changes
    for change in changes {
      switch change {
      case .added(let record): Issue.record("\(path): \(record.id) is new")
      case .removed(let record): #expect(!members.contains(record.id))
      case .changed(let id, _, let properties):
        for property in properties {
          let relationship = hierarchy.allRelationships(of: id.entity)[property.property]?.property
          switch property.content {
          case .list(let added, let removed, let isReordered):
            #expect(added.isEmpty && !isReordered, "\(path): \(id) \(property)")
            #expect(members.isDisjoint(with: removed), "\(path): \(id) \(property)")
          case .value(.object(let target), .null):
            #expect(relationship?.isOptional == true && !members.contains(target), "\(path): \(id) \(property)")
          default:
            let isDerived = hierarchy.allAttributes(of: id.entity)[property.property]?.property.derivation != nil
            #expect(isDerived, "\(path): \(id) \(property)")
          }
        }
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.contains("partial") || $0.hasPrefix("part") && $0.hasSuffix("-wal") }, "\(names)")
    return outcome
  }

  @Test("Depth follows relationships, mandatory ones always", arguments: 1...UInt64(10))
  func depth(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("shop.sqlite")
    try ShopModel.make(path, customers: 20, orders: 60, tags: 6, seed: seed).close()
    let request = try RecordRequest("Order", where: "note == 'n7'")
    let bare = try check(path, ShopModel.model, request, depth: 0, folder)
    #expect(bare.requested == 1 && bare.objects["Order"] == 1)
    #expect((bare.objects["Customer"] ?? 0) + (bare.objects["Member"] ?? 0) == 1 && bare.objects["Tag"] == nil)
    let near = try check(path, ShopModel.model, request, depth: 1, folder)
    #expect(near.objects["Order"] == 1)
    let far = try check(path, ShopModel.model, request, depth: 2, folder)
    #expect((far.objects["Order"] ?? 0) > 1)
    try check(path, ShopModel.model, RecordRequest("Customer"), depth: 1, folder)
    let all = try check(path, ShopModel.model, RecordRequest("Tag"), depth: 200, folder)
    #expect(try check(path, ShopModel.model, RecordRequest("Tag"), depth: .max, folder) == all)
    try check(path, ShopModel.model, RecordRequest("Tag"), depth: 9, folder)
  }

  /// Teams of players: a team has no player or three of them, a player has a team, and both know who comes next.
  private static func teams(isNextNeeded: Bool) -> ManagedObjectModel {
    func link(
      _ name: String, _ destination: String, _ inverse: String, isOptional: Bool, minCount: Int, maxCount: Int
    ) -> RelationshipDescription {
      var made = RelationshipDescription(
        name: name, destinationEntityName: destination, isOptional: isOptional, minCount: minCount, maxCount: maxCount,
        deleteRule: .nullify)
      (made.inverseName, made.inverseEntityName) = (inverse, destination)
      return made
    }
    var team = EntityDescription(name: "Team")
    team.attributes = [AttributeDescription(name: "number", type: .integer64, isOptional: true)]
    team.relationships = [
      link("players", "Player", "team", isOptional: true, minCount: 3, maxCount: 0),
      link("next", "Team", "former", isOptional: !isNextNeeded, minCount: isNextNeeded ? 1 : 0, maxCount: 0),
      link("former", "Team", "next", isOptional: true, minCount: 0, maxCount: 0),
    ]
    var player = EntityDescription(name: "Player")
    player.attributes = [AttributeDescription(name: "name", type: .string, isOptional: true)]
    player.relationships = [link("team", "Team", "players", isOptional: false, minCount: 1, maxCount: 1)]
    return ManagedObjectModel(entities: [team, player])
  }

  @Test("A to-many relationship with a minimum count gets it if it has one object, also through a long chain")
  func counts() throws {
    let folder = try TemporaryFolder()
    for isNextNeeded in [false, true] {
      let model = Self.teams(isNextNeeded: isNextNeeded)
      let path = folder.path("\(isNextNeeded).sqlite")
      let store = try ObjectStore.open(path, model: model)
      try store.write { transaction in
        let teams = try (0..<400).map { try transaction.insert("Team", ["number": .attribute(.integer(Int64($0)))]) }
        for (one, other) in zip(teams, teams.dropFirst() + [teams[0]]) {
          try transaction.add(other, to: "next", of: one)
          for number in 0..<5 {
            try transaction.insert("Player", ["name": .attribute(.string("p\(number)")), "team": .object(one)])
          }
        }
      }
      try store.close()
      // The first team: no player where none was asked for.
      let team = try check(path, model, RecordRequest("Team", where: "number == 0"), depth: 0, folder)
      #expect(team.objects == ["Team": isNextNeeded ? 400 : 1])
      let player = try check(path, model, RecordRequest("Player", where: "name == 'p2'"), depth: 0, folder)
      #expect(player.objects == ["Team": 400, "Player": 1200])
    }
  }

  @Test("New objects of the part get unused keys, and large data is in its folder")
  func written() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("shop.sqlite")
    try ShopModel.make(path, customers: 9, orders: 9, tags: 3, seed: 4).close()
    let hierarchy = try EntityHierarchy(ShopModel.model)
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let creator = try StoreCreator(of: hierarchy)
    let extraction = StoreExtraction(RecordRequest("Customer"), depth: 0)
    let place = folder.path("part.sqlite")
    _ = try extraction.run(from: reader, of: hierarchy, creator: creator, to: place)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(".part_SUPPORT/_EXTERNAL_DATA"))
    #expect(files.count == 1)
    #expect(throws: StoreCreationError.exists(path: place)) {
      try extraction.run(from: reader, of: hierarchy, creator: creator, to: place)
    }
    let store = try ObjectStore.open(place, model: ShopModel.model)
    let id = try store.write { try $0.insert("Customer", ["email": "new"]) }
    #expect(id.key == 10)
    try store.close()
    #expect(throws: RecordRequestError.self) {
      try StoreExtraction(RecordRequest("Nothing")).run(
        from: reader, of: hierarchy, creator: creator, to: folder.path("other.sqlite"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("other.sqlite")))
  }

  @Test("Parts of stores of every sample model", arguments: ["Orders", "Todo", "Company", "Family", "Staff"])
  func samples(_ name: String) throws {
    let versions = LoadedVersion.load(from: ModelBundle.discover(under: SampleModels.path(name))).versions
    #expect(!versions.isEmpty)
    for version in versions {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      try StoreCreator(of: version.hierarchy).create(at: path, filling: SyntheticRows(seed: 5, rowsPerEntity: 20))
      for entity in version.hierarchy.model.entities where !entity.isAbstract {
        var request = RecordRequest(entity.name)
        request.limit = 2
        for depth in [0, 1] { try check(path, version.hierarchy.model, request, depth: depth, folder) }
      }
    }
  }

  @Test("Parts of stores of the corpus", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    let all = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    var stores = 0
    for file in CorpusSample.of(all, atMost: 1) {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
      }
      let reader = try StoreReader(path: path)
      // A log without its index is read under a lock that lets no second reader in.
      defer { reader.close() }
      guard let model = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model else { continue }
      let hierarchy = try EntityHierarchy(model)
      guard try reader.verify(against: hierarchy).isEmpty else { continue }
      let rows = try reader.snapshot(counting: true).rowCounts
      reader.close()
      for entity in model.entities where !entity.isAbstract && !rows.isEmpty {
        var request = RecordRequest(entity.name)
        request.limit = 3
        try check(path, model, request, depth: 1, folder)
      }
      stores += 1
    }
    print("extraction: parts of every entity of \(stores) stores of the corpus")
    #expect(stores > 0)
  }
}
