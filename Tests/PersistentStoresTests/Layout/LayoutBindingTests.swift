import ModelDescription
import PersistentStores
import Testing

/// Layouts held against stores that are not fresh.
@Suite struct LayoutBindingTests {
  private let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Client",
      attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(name: "trusted", destinationEntityName: "Client", inverseName: "trustedBy"),
        RelationshipDescription(name: "trustedBy", destinationEntityName: "Client", inverseName: "trusted"),
      ],
      uniquenessConstraints: [["name"]],
      renamingIdentifier: "Device"
    )
  ])

  /// The content of a store of exactly this layout.
  private func snapshot(_ layout: SQLStoreLayout) -> StoreSnapshot {
    StoreSnapshot(
      tables: layout.tables.map { table in
        StoreSnapshot.Table(
          name: table.name,
          columns: table.columns.map { StoreSnapshot.Column(name: $0.name, type: $0.type.valueType) }, rowCount: 0,
          sql: table.createStatement)
      },
      indexes: layout.indexes.map { index in
        StoreSnapshot.Index(
          name: index.name, table: index.table, columns: index.columns.map(\.name), isUnique: index.isUnique,
          isInline: false, sql: index.createStatement)
      },
      triggers: layout.triggers, virtualTables: layout.spatialIndexes.map(\.name),
      entityRows: layout.entityNumbers.map {
        StoreSnapshot.EntityRow(
          number: $0.number, name: $0.name, superentityNumber: $0.superentityNumber, maximumPrimaryKey: 0)
      },
      rowCounts: [:], byteCount: 0)
  }

  @Test func aFreshStoreHasNoDeviation() throws {
    let hierarchy = try EntityHierarchy(model)
    let layout = SQLStoreLayout(of: hierarchy)
    let bound = BoundLayout(of: hierarchy, to: snapshot(layout))
    #expect(bound.layout == layout)
    #expect(bound.deviations == [])
    #expect(layout.differences(from: snapshot(layout)) == [])
  }

  @Test func theOtherNameOfASelfJoinIsFound() throws {
    let hierarchy = try EntityHierarchy(model)
    var store = snapshot(SQLStoreLayout(of: hierarchy))
    let position = try #require(store.tables.firstIndex { $0.name == "Z_1TRUSTEDBY" })
    store.tables[position].name = "Z_1TRUSTED"
    store.indexes.removeAll { $0.table == "Z_1TRUSTEDBY" }
    store.indexes.append(
      StoreSnapshot.Index(
        name: "Z_9OLD", table: "Z_1TRUSTED", columns: ["Z_1TRUSTED", "Z_1TRUSTEDBY"], isUnique: false, isInline: false,
        sql: nil))
    let bound = BoundLayout(of: hierarchy, to: store)
    #expect(
      bound.deviations.map(\.description) == [
        "join table Z_1TRUSTEDBY is named Z_1TRUSTED",
        "index Z_1TRUSTED_Z_1TRUSTED_INDEX on Z_1TRUSTED is named Z_9OLD",
      ])
    #expect(
      bound.layout.storage(ofRelationship: PropertyAddress(entity: "Client", property: "trusted"), in: hierarchy)
        == .join(
          table: "Z_1TRUSTED", sourceColumn: "Z_1TRUSTEDBY", destinationColumn: "Z_1TRUSTED", sourceOrder: nil,
          destinationOrder: nil))
    #expect(bound.layout.differences(from: store) == [])
  }

  @Test func aRowUnderTheFormerNameOfAnEntityIsFound() throws {
    let hierarchy = try EntityHierarchy(model)
    var store = snapshot(SQLStoreLayout(of: hierarchy))
    store.entityRows[0].name = "Device"
    let bound = BoundLayout(of: hierarchy, to: store)
    #expect(bound.layout.number(of: "Client") == 1)
    #expect(bound.deviations == [.entityName(expected: "Client", actual: "Device")])
    #expect(
      bound.layout.differences(from: store).map(\.description) == [
        "entity Client still has the name Device in Z_PRIMARYKEY"
      ])
  }

  @Test func whatIsMissingOrExtraIsSaidWithItsWeight() throws {
    let hierarchy = try EntityHierarchy(model)
    let layout = SQLStoreLayout(of: hierarchy)
    var store = snapshot(layout)
    store.tables[0].columns[3] = StoreSnapshot.Column(name: "ZNAME", type: "BLOB")
    store.tables[0].columns.append(StoreSnapshot.Column(name: "ZOLD", type: "VARCHAR"))
    store.tables.removeLast()
    store.tables.append(StoreSnapshot.Table(name: "ACHANGE", columns: [], rowCount: 0, sql: ""))
    store.tables.append(StoreSnapshot.Table(name: "mine", columns: [], rowCount: 0, sql: ""))
    store.indexes = [
      StoreSnapshot.Index(
        name: "app", table: "ZCLIENT", columns: ["ZNAME"], isUnique: false, isInline: false, sql: nil)
    ]
    #expect(
      layout.differences(from: store).map { "\($0.severity): \($0)" } == [
        "warning: column ZCLIENT.ZNAME is declared BLOB instead of VARCHAR",
        "note: column ZCLIENT.ZOLD is not part of the model",
        "error: table Z_1TRUSTEDBY is missing",
        "note: table ACHANGE belongs to a service of Core Data",
        "note: table mine is not part of the model",
        "warning: index Z_1TRUSTEDBY_Z_1TRUSTEDBY_INDEX on Z_1TRUSTEDBY (Z_1TRUSTEDBY, Z_1TRUSTED) is missing",
        "error: unique index Z_Client_UNIQUE_name on ZCLIENT (ZNAME) is missing",
        "note: index app on ZCLIENT is not part of the model",
      ])
  }
}
