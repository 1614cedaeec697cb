import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Random versions, mapping models and stores: what is foreseen without looking at rows is what a migration does.
@Suite("The forecast without reading rows")
struct OutlookTests {
  /// `MODELCTL_SEEDS` sets how many seeds run, `MODELCTL_FIRST_SEED` where they begin.
  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? (CorpusSample.isWhole ? 150 : 25)
    let first = environment["MODELCTL_FIRST_SEED"].flatMap(UInt64.init) ?? 0
    return first..<(first + count)
  }()

  /// Versions made by random edits, whether the steps can be inferred or not.
  private func models(_ seed: UInt64) -> [ManagedObjectModel] {
    var edits = VersionEdits(random: SeededGenerator(seed: seed))
    var models = [VersionEdits.start]
    for _ in 0..<100 where models.count < 4 {
      guard let last = models.last else { break }
      var edited = edits.edit(last)
      if seed % 3 == 0, models.count == 2 { retype(&edited) }
      guard edited != last, (try? EntityHierarchy(edited)) != nil else { continue }
      models.append(edited)
    }
    return models
  }

  /// Gives an attribute a type that inference does not convert to.
  private func retype(_ model: inout ManagedObjectModel) {
    for position in model.entities.indices {
      let attributes = model.entities[position].attributes.indices
      guard let first = attributes.first(where: { model.entities[position].attributes[$0].type == .string }) else {
        continue
      }
      model.entities[position].attributes[first].type = .date
      return
    }
  }

  /// A mapping model between two versions, of any form, that may need a policy class.
  private func mapping(_ seed: UInt64, from source: LoadedVersion, to destination: LoadedVersion) -> KnownMapping {
    var mappings = RandomStoreMapping(
      random: SeededGenerator(seed: seed), source: source.hierarchy, destination: destination.hierarchy)
    var model = mappings.mapping()
    if seed % 5 == 0, !model.entityMappings.isEmpty { model.entityMappings[0].policyClassName = "App.Policy" }
    return KnownMapping(
      path: seed % 2 == 0 ? "Migrations/Test/m\(seed).xml" : "M\(seed).xcmappingmodel", source: source,
      destination: destination, model: model)
  }

  @Test("A migration forecast as possible runs, or is refused only for rows; one forecast as refused is refused")
  func truth() throws {
    var counts = [String: Int]()
    for seed in Self.seeds {
      let store = try VersionedStore(models(seed), rows: seed % 3 == 1 ? 0 : 4, seed: seed)
      guard let destination = store.versions.last, let source = store.versions.first else { continue }
      let place = Int(seed % 4)
      var mappings: [KnownMapping] = []
      if place + 1 < store.versions.count {
        mappings.append(mapping(seed, from: store.versions[place], to: store.versions[place + 1]))
        if seed % 7 == 0 {
          mappings.append(mapping(seed + 1, from: store.versions[place], to: store.versions[place + 1]))
        }
      }
      let unusable =
        seed % 11 == 0 && store.versions.count > 2
        ? [
          UnusableMapping(
            path: "Old.xcmappingmodel", refusal: .drifted(source: store.versions[1], destination: store.versions[2]),
            cause: .editedReleases(source: "v2", destination: "v3"))
        ] : []
      var request = MigrationRequest(
        path: store.path, versions: store.versions, destination: destination,
        pathFinder: MigrationPathFinder(mappings: mappings, unusable: unusable))
      request.isRehearsal = true
      request.options.allowsCloudKit = seed % 2 == 0
      request.options.allowsForeignReferences = seed % 2 == 0
      let migrator = StoreMigrator(request)
      let reader = try StoreReader(path: store.path)
      let foreseen = Result { try migrator.outlook(reader) }
      reader.close()
      let done = Result { try migrator.migrate() }
      let verdict = MigrationMatrix(of: store.versions, mappings: mappings, unusable: unusable)
        .verdict(from: source, to: destination)
      let isPossible = verdict.map { $0.kind == .same || $0.readers.contains(.modelctl) } ?? false
      switch (foreseen, done) {
      case (.success, .success): counts["migrated", default: 0] += 1
      case (.success, .failure(let error)):
        counts["refused for rows", default: 0] += 1
        #expect(Self.isAboutRows(error), "seed \(seed): \(error)")
      case (.failure, .failure): counts["refused", default: 0] += 1
      case (.failure(let error), .success): Issue.record(error, "seed \(seed)")
      }
      let isForeseen = if case .success = foreseen { true } else { false }
      #expect(isForeseen == isPossible, "seed \(seed): \(foreseen), \(String(describing: verdict))")
    }
    print("foreseen: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))")
    #expect(counts.count == 3)
  }

  /// True for what only the rows of a store can be refused for.
  private static func isAboutRows(_ error: any Error) -> Bool {
    switch error {
    case is MigrationBlocked, MigrationError.expressionFailed: true
    default: false
    }
  }
}
