import ModelDescription
import PersistentStores
import Testing

/// The indexes, spatial indexes and triggers of a layout.
@Suite struct LayoutIndexTests {
  private func layout(_ entities: EntityDescription...) throws -> SQLStoreLayout {
    try SQLStoreLayout(of: EntityHierarchy(ManagedObjectModel(entities: entities)))
  }

  private let city = EntityDescription(
    name: "City",
    attributes: [
      AttributeDescription(name: "name", type: .string, isIndexed: true),
      AttributeDescription(name: "latitude", type: .double), AttributeDescription(name: "longitude", type: .double),
      AttributeDescription(name: "isCapital", type: .boolean),
    ],
    relationships: [RelationshipDescription(name: "country", destinationEntityName: "Country", maxCount: 1)]
  )

  @Test func everyFormOfIndex() throws {
    var city = city
    city.fetchIndexes = [
      FetchIndexDescription(
        name: "byPlace",
        elements: [
          FetchIndexDescription.Element(subject: .property("longitude"), isAscending: false),
          FetchIndexDescription.Element(subject: .property("country")),
        ]),
      FetchIndexDescription(
        name: "byCountry", elements: [FetchIndexDescription.Element(subject: .property("country"))]),
      FetchIndexDescription(
        name: "byObject",
        elements: [
          FetchIndexDescription.Element(subject: .expression("entity")),
          FetchIndexDescription.Element(subject: .expression("self")),
        ]),
    ]
    city.compoundIndexes = [["name", "latitude"]]
    city.uniquenessConstraints = [["name", "country"]]
    let town = EntityDescription(name: "Town", superentityName: "City")
    #expect(
      try layout(city, town, EntityDescription(name: "Country")).indexes.map(\.createStatement) == [
        "CREATE INDEX ZCITY_ZCOUNTRY_INDEX ON ZCITY (ZCOUNTRY)",
        "CREATE INDEX ZCITY_Z_ENT_INDEX ON ZCITY (Z_ENT)",
        "CREATE INDEX Z_City_byObject ON ZCITY (Z_ENT COLLATE BINARY ASC, Z_PK COLLATE BINARY ASC)",
        "CREATE INDEX Z_City_byPlace ON ZCITY (ZLONGITUDE COLLATE BINARY DESC, ZCOUNTRY COLLATE BINARY ASC)",
        "CREATE INDEX Z_City_name ON ZCITY (ZNAME COLLATE BINARY ASC)",
        "CREATE INDEX Z_City_name_latitude ON ZCITY (ZNAME COLLATE BINARY ASC, ZLATITUDE COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_City_UNIQUE_name_country ON ZCITY (ZNAME COLLATE BINARY ASC, "
          + "ZCOUNTRY COLLATE BINARY ASC)",
      ])
  }

  @Test("An index that a compiled model has twice is in the store once")
  func twice() throws {
    var city = city
    let index = FetchIndexDescription(
      name: "name", elements: [FetchIndexDescription.Element(subject: .property("name"))])
    city.fetchIndexes = [index, index]
    let indexes = try layout(city, EntityDescription(name: "Country")).indexes.map(\.name)
    #expect(indexes == ["ZCITY_ZCOUNTRY_INDEX", "Z_City_name"])
  }

  @Test("Repetitions in older formats of a compiled model are in the store once, with any name")
  func repeated() throws {
    var city = city
    typealias Element = FetchIndexDescription.Element
    func index(_ name: String, _ elements: [Element], _ predicate: String? = nil) -> FetchIndexDescription {
      FetchIndexDescription(name: name, elements: elements, partialIndexPredicate: predicate)
    }
    let (name, latitude) = (Element(subject: .property("name")), Element(subject: .property("latitude")))
    city.compoundIndexes = [["name", "latitude"], ["latitude", "name"], ["latitude"]]
    city.fetchIndexes = [
      index("both", [name, latitude]), index("down", [Element(subject: .property("latitude"), isAscending: false)]),
      index("part", [latitude, name], "latitude > 1"),
    ]
    let indexes = try layout(city, EntityDescription(name: "Country")).indexes.map(\.name)
    #expect(
      indexes == [
        "ZCITY_ZCOUNTRY_INDEX", "Z_City_both", "Z_City_down", "Z_City_latitude", "Z_City_latitude_name",
        "Z_City_name", "Z_City_part",
      ])
  }

  @Test(arguments: [
    ("isCapital == YES", "ZISCAPITAL = 1"), ("name != nil", "ZNAME IS NOT NULL"),
    ("latitude >= 49.5 AND name == 'O''", nil),
    ("name == \"O'Brien\" && latitude < -3", "ZNAME = 'O''Brien' AND ZLATITUDE < -3"),
    ("ANY country.name == 'x'", nil), ("missing = 1", nil), ("name", nil), ("name = name", nil),
  ])
  func partialIndexes(predicate: String, condition: String?) throws {
    var city = city
    city.fetchIndexes = [
      FetchIndexDescription(
        name: "part", elements: [FetchIndexDescription.Element(subject: .property("latitude"))],
        partialIndexPredicate: predicate)
    ]
    let layout = try layout(city, EntityDescription(name: "Country"))
    let statement = layout.indexes.first { $0.name == "Z_City_part" }?.createStatement
    #expect(
      statement == condition.map { "CREATE INDEX Z_City_part ON ZCITY (ZLATITUDE COLLATE BINARY ASC) WHERE \($0)" })
    #expect(
      layout.warnings
        == (condition == nil ? [.untranslatedPredicate(entity: "City", index: "part", predicate: predicate)] : []))
  }

  @Test func spatialIndexes() throws {
    var city = city
    city.fetchIndexes = [
      FetchIndexDescription(
        name: "byLocation",
        elements: ["latitude", "longitude"].map {
          FetchIndexDescription.Element(subject: .property($0), kind: .rTree)
        })
    ]
    let layout = try layout(city, EntityDescription(name: "Country"))
    #expect(
      layout.spatialIndexes.map(\.sql) == [
        "CREATE VIRTUAL TABLE Z_RT_City_byLocation USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN FLOAT, "
          + "ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)"
      ])
    #expect(
      layout.triggers.map(\.name) == [
        "Z_RT_City_byLocation_INSERT", "Z_RT_City_byLocation_UPDATE", "Z_RT_City_byLocation_DELETE",
      ])
  }

  @Test func aCountIsKeptByFiveTriggers() throws {
    let author = EntityDescription(
      name: "Author",
      attributes: [
        AttributeDescription(
          name: "bookCount", type: .integer64, derivation: Derivation(expression: "books.@count"))
      ],
      relationships: [RelationshipDescription(name: "books", destinationEntityName: "Book", inverseName: "author")])
    let book = EntityDescription(
      name: "Book",
      relationships: [
        RelationshipDescription(name: "author", destinationEntityName: "Author", inverseName: "books", maxCount: 1)
      ])
    let triggers = try layout(author, book).triggers
    #expect(
      triggers.map(\.name) == [
        "Z_DA_ZBOOK_Author_bookCount_PARAMETER_INSERT", "Z_DA_ZBOOK_Author_bookCount_PARAMETER_UPDATE_INCREMENT",
        "Z_DA_ZBOOK_Author_bookCount_PARAMETER_UPDATE_DECREMENT", "Z_DA_ZBOOK_Author_bookCount_PARAMETER_DELETE",
        "Z_DA_ZAUTHOR_Author_bookCount_SOURCE_INSERT",
      ])
    #expect(
      triggers.first?.sql == """
        CREATE TRIGGER Z_DA_ZBOOK_Author_bookCount_PARAMETER_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW \
        WHEN (NEW.ZAUTHOR NOT NULL) BEGIN UPDATE ZAUTHOR SET ZBOOKCOUNT = IFNULL(ZBOOKCOUNT, 0) + 1 \
        WHERE Z_PK = NEW.ZAUTHOR; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, \
        'bookCount', ZBOOKCOUNT) FROM ZAUTHOR WHERE Z_PK = NEW.ZAUTHOR; END
        """)
  }

  @Test func aKeyPathIsKeptByFourTriggers() throws {
    let author = EntityDescription(name: "Author", attributes: [AttributeDescription(name: "name", type: .string)])
    let book = EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription(name: "by", type: .string, derivation: Derivation(expression: "author.name")),
        AttributeDescription(name: "changed", type: .date, derivation: Derivation(expression: "now()")),
      ],
      relationships: [RelationshipDescription(name: "author", destinationEntityName: "Author", maxCount: 1)])
    let layout = try layout(author, book)
    #expect(
      layout.triggers.map(\.name) == [
        "Z_DA_ZBOOK_Book_by_SOURCE_INSERT", "Z_DA_ZBOOK_Book_by_SOURCE_UPDATE", "Z_DA_ZAUTHOR_Book_by_PARAMETER_INSERT",
        "Z_DA_ZAUTHOR_Book_by_PARAMETER_UPDATE",
      ])
    #expect(
      layout.warnings.map(\.description) == [
        "no trigger keeps Book.changed up to date, because “now()” has no known translation"
      ])
  }
}
