import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import Testing
import VersionHashing

@Suite("Which version wrote a store")
struct StoreIdentificationTests {
  @Test("A store of the current version needs nothing")
  func current() throws {
    let found = StoreIdentification(
      of: try OrdersVersions.metadata(of: OrdersVersions.second), cachedModel: .absent,
      among: try OrdersVersions.known())
    #expect(found.state == .current)
    #expect(found.matchedBy == .bundle)
    #expect(found.version?.name == "v2")
    #expect(found.target?.name == "v2")
    #expect(found.nearest == nil)
  }

  @Test("A store of an earlier version needs migration to the current one")
  func earlier() throws {
    let found = StoreIdentification(
      of: try OrdersVersions.metadata(of: OrdersVersions.first),
      cachedModel: .model(OrdersVersions.first, content: Data()),
      among: try OrdersVersions.known())
    #expect(found.state == .needsMigration)
    #expect(found.matchedBy == .bundle)
    #expect(found.version?.name == "v1")
    #expect(found.target?.name == "v2")
    #expect(found.cache == .fresh)
  }

  @Test("A version that no bundle holds is known by the store's cached model")
  func cached() throws {
    var lost = OrdersVersions.first
    lost.entities[2].attributes[0].type = .integer64
    let found = StoreIdentification(
      of: try OrdersVersions.metadata(of: lost), cachedModel: .model(lost, content: Data()),
      among: try OrdersVersions.known())
    #expect(found.state == .needsMigration)
    #expect(found.matchedBy == .cachedModel)
    #expect(found.version == nil)
    #expect(found.model == lost)
    #expect(found.target?.name == "v2")
    #expect(found.nearest?.version.name == "v1")
  }

  @Test("A cached model of another version than the rows is not used")
  func staleCache() throws {
    var lost = OrdersVersions.first
    lost.entities[2].attributes[0].type = .integer64
    let found = StoreIdentification(
      of: try OrdersVersions.metadata(of: lost), cachedModel: .model(OrdersVersions.first, content: Data()),
      among: try OrdersVersions.known())
    #expect(found.state == .unknown)
    #expect(found.matchedBy == nil)
    #expect(found.cache == .stale)
    #expect(found.nearest?.description == "v1, but Order.number was still of type Integer 64, not Integer 32")
  }

  @Test("A store of one configuration is known by the entities it holds")
  func configuration() throws {
    var model = OrdersVersions.second
    model.configurations = [
      ModelConfiguration(name: "Default", entityNames: ["Party", "Customer", "Order"]),
      ModelConfiguration(name: "People", entityNames: ["Party", "Customer"]),
    ]
    let version = try LoadedVersion(bundle: "Orders.xcdatamodeld", name: "v2", isCurrent: true, model: model)
    let hashes = try #require(version.versionHashes(ofConfiguration: "People"))
    let metadata = StoreMetadata(uuid: "A", versionHashes: hashes, identifiers: [])
    let found = StoreIdentification(of: metadata, cachedModel: .absent, among: [version])
    #expect(found.state == .current)
    #expect(found.configuration == "People")
    #expect(found.model?.entities.map(\.name) == ["Party", "Customer"])
  }

  @Test("A configuration with the content of an older complete model is reported; if you name it, it decides")
  func configurationLikeAnOlderModel() throws {
    var newer = OrdersVersions.second
    newer.entities.append(EntityDescription(name: "Settings"))
    newer.configurations = [
      ModelConfiguration(name: "Cloud", entityNames: ["Party", "Customer", "Order"]),
      ModelConfiguration(name: "Local", entityNames: ["Settings"]),
    ]
    let versions = [
      try LoadedVersion(bundle: "Orders.xcdatamodeld", name: "v2", isCurrent: false, model: OrdersVersions.second),
      try LoadedVersion(bundle: "Orders.xcdatamodeld", name: "v3", isCurrent: true, model: newer),
    ]
    let metadata = try OrdersVersions.metadata(of: OrdersVersions.second)
    let found = StoreIdentification(of: metadata, cachedModel: .absent, among: versions)
    #expect(found.version?.name == "v2")
    #expect(found.state == .needsMigration)
    #expect(found.currentConfiguration == "Cloud")
    let named = versions.compactMap { $0.restricted(toConfiguration: "Cloud") }
    let opened = StoreIdentification(of: metadata, cachedModel: .absent, among: named)
    #expect(opened.version?.name == "v3")
    #expect(opened.state == .current)
    #expect(opened.currentConfiguration == nil)
  }

  @Test("A store of an app that merges its models is known by the versions it is made of")
  func merged() throws {
    let journal = ManagedObjectModel(entities: [EntityDescription(name: "Entry")])
    var newerJournal = journal
    newerJournal.entities[0].attributes = [AttributeDescription(name: "text", type: .string, isOptional: true)]
    let versions =
      try OrdersVersions.known() + [
        LoadedVersion(bundle: "Journal.xcdatamodeld", name: "j1", isCurrent: false, model: journal),
        LoadedVersion(bundle: "Journal.xcdatamodeld", name: "j2", isCurrent: true, model: newerJournal),
      ]
    let model = ManagedObjectModel(entities: OrdersVersions.second.entities + journal.entities)
    let found = StoreIdentification(
      of: try OrdersVersions.metadata(of: model), cachedModel: .absent, among: versions)
    #expect(found.state == .needsMigration)
    #expect(found.version?.name == "Orders@v2 + Journal@j1")
    #expect(found.target?.name == "Orders@v2 + Journal@j2")
    #expect(found.target?.isCurrent == true)
    #expect(found.model?.entities.map(\.name) == ["Party", "Customer", "Order", "Entry"])
  }

  @Test("An entity that a later version of another bundle has too does not hide the version that wrote the store")
  func mergedAlthoughShared() throws {
    let entity = { (name: String) in EntityDescription(name: name) }
    let version = { (bundle: String, name: String, isCurrent: Bool, entities: [String]) in
      try LoadedVersion(
        bundle: "\(bundle).xcdatamodeld", name: name, isCurrent: isCurrent,
        model: ManagedObjectModel(entities: entities.map(entity)))
    }
    let versions = [
      try version("A", "a1", true, ["Order"]), try version("B", "b1", false, ["Note"]),
      try version("B", "b2", true, ["Order"]),
    ]
    let found = StoreIdentification(
      of: try OrdersVersions.metadata(of: ManagedObjectModel(entities: [entity("Order"), entity("Note")])),
      cachedModel: .absent, among: versions)
    #expect(found.version?.name == "A@a1 + B@b1")
    #expect(found.target?.name == "A@a1 + B@b2")
  }

  @Test("A store that has nothing in common with any version is unknown, without a nearest one")
  func foreign() throws {
    let found = StoreIdentification(
      of: try OrdersVersions.metadata(of: ManagedObjectModel(entities: [EntityDescription(name: "Note")])),
      cachedModel: .unreadable(.oversized(bytes: 1 << 30)), among: try OrdersVersions.known())
    #expect(found.state == .unknown)
    #expect(found.cache == .unreadable(.oversized(bytes: 1 << 30)))
    #expect(found.nearest == nil)
    #expect(found.target == nil)
  }
}
