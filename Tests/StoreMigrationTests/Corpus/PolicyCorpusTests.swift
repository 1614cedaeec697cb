import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// Mapping models of the corpus that name a policy class of their app, with stand-ins written for the test.
@Suite("Policies of the corpus", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct PolicyCorpusTests {
  /// The work of the example's policy class: every post's colour text becomes an object of its own.
  private final class ColorPolicy: EntityMigrationPolicy {
    private var colors: [DestinationObject: DestinationObject] = [:]

    func createDestinationInstances(
      forSource source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let post = try manager.createDefaultDestinationInstance(forSource: source, in: mapping)
      let color = try manager.insertDestinationInstance(of: "Color")
      try manager.setValue(.string("color \(source.key)"), forAttribute: "colorID", of: color)
      try manager.setValue(try manager.value("hexColor", of: source), forAttribute: "hex", of: color)
      colors[post] = color
    }

    func createRelationships(
      forDestination destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard let color = colors[destination] else { return }
      try manager.setDestinationInstances([color], forRelationship: "color", of: destination)
    }
  }

  private func request(
    _ path: String, _ repository: String, _ versionPath: (String) -> Bool
  ) throws -> MigrationRequest {
    let versions = CorpusVersions.of(repository)
    let paths = CorpusMapping.all().filter { $0.repository == repository && versionPath($0.path) }.map(\.path)
    let mappings = KnownMapping.load(from: paths, among: versions).mappings
    let last = try #require(mappings.last)
    return MigrationRequest(
      path: path, versions: versions.filter { $0.bundle == last.destination.bundle }, destination: last.destination,
      pathFinder: MigrationPathFinder(mappings: mappings), keepsBackup: false)
  }

  @Test("A policy in Swift makes the objects that the app's policy makes", arguments: [1, 2])
  func swift(version: Int) throws {
    let repository = "wibosco+CoreDataMigration-Example"
    let store = try #require(
      Corpus.files(in: "stores/\(repository)") { $0 == "CoreDataMigration_Example_\(version).sqlite" }.first)
    let path = CorpusStore.copy(store)
    var request = try request(path, repository) { _ in true }
    request.policies.register("CoreDataMigration_Example.Post2ToPost3MigrationPolicy") { ColorPolicy() }
    let (prepared, _) = try StoreMigrator(request).plan()
    #expect(prepared.stages.map { $0.mappingPath == nil } == (version == 1 ? [false, false] : [false]))
    request.options.allowedLosses = Set(prepared.stages.flatMap(\.plan.losses).map(\.loss.element))
    let before = try MigratedStore(path: path, model: prepared.source.hierarchy)
    _ = try StoreMigrator(request).migrate()
    let after = try MigratedStore(path: path, model: request.destination.hierarchy)
    #expect(after.metadata.versionHashes == request.destination.versionHashes)
    let posts = before.graph.rows["Post"] ?? [:]
    #expect(posts.count > 0)
    #expect(Set((after.graph.rows["Post"] ?? [:]).keys) == Set(posts.keys))
    #expect(after.graph.rows["Color"]?.count == posts.count)
    let links = after.graph.links["Post.color"] ?? []
    #expect(links.count == posts.count)
    for link in links {
      let post = after.graph.rows["Post"]?[link.near]
      #expect(post?["postID"] == posts[link.near]?["postID"])
      #expect(post?["date"] == posts[link.near]?["date"])
      let color = after.graph.rows["Color"]?[link.far]
      #expect(color?["hex"] == posts[link.near]?["hexColor"] ?? posts[link.near]?["color"])
      #expect(color?["colorID"] == "color \(link.near)".databaseValue)
    }
    let own = try #require(
      Corpus.files(in: "stores/\(repository)") { $0 == "CoreDataMigration_Example_3.sqlite" }.first)
    let shape = try MigratedStore(path: CorpusStore.copy(own), model: request.destination.hierarchy)
    let columns = { (schema: Set<String>) in schema.filter { !$0.contains("(") } }
    #expect(columns(after.schema) == columns(shape.schema))
  }

  @Test("SQL replaces a policy that turns texts into dates")
  func sql() throws {
    let repository = "richardpiazza+XCServerCoreData"
    let store = try #require(
      Corpus.files(in: "stores/\(repository)") { $0 == "XCServerCoreData_1.2.0.sqlite" }.first)
    let path = CorpusStore.copy(store)
    var request = try request(path, repository) { $0.contains("/MappingModel1.2.0to2.0.1/") }
    request.options.policyReplacements["XCServerCoreData.IntegrationStringToDateMigrationPolicy"] = PolicyReplacement(
      attributes: [
        "endedTime": "length($source.endedTime) * 60.0", "queuedDate": "length($source.queuedDate) * 60.0",
        "startedTime": "length($source.startedTime) * 60.0",
      ])
    let (prepared, _) = try StoreMigrator(request).plan()
    request.options.allowedLosses = Set(prepared.stages.flatMap(\.plan.losses).map(\.loss.element))
    let before = try MigratedStore(path: path, model: prepared.source.hierarchy)
    _ = try StoreMigrator(request).migrate()
    let after = try MigratedStore(path: path, model: request.destination.hierarchy)
    #expect(after.metadata.versionHashes == request.destination.versionHashes)
    let integrations = before.graph.rows["Integration"] ?? [:]
    #expect(integrations.count > 0)
    #expect((after.graph.rows["Integration"] ?? [:]).count == integrations.count)
    for (key, row) in after.graph.rows["Integration"] ?? [:] {
      for name in ["endedTime", "queuedDate", "startedTime"] {
        let text = integrations[key]?[name].flatMap { String.fromDatabaseValue($0) }
        #expect(row[name].flatMap { Double.fromDatabaseValue($0) } == text.map { Double($0.count) * 60 })
      }
    }
  }
}
