import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("Swift structs for entities")
struct EntityTypeFilesTests {
  @Test("The comment of a composite attribute without a composite has no space before the comma")
  func compositeWithoutName() throws {
    let model = ManagedObjectModel { Entity("Order") { Attribute("shipping", .composite("")).optional() } }
    let files = EntityTypeFiles(try EntityHierarchy(model), origin: "Shop, version v2").files
    #expect(files[0].code.contains("/// Composite, optional."))
  }

  @Test("A struct has the settings of the entity")
  func text() throws {
    let model = ManagedObjectModel {
      Entity("Document", isAbstract: true, userInfo: ["documentation": "What is filed.\nFor ten years."]) {
        Attribute("title", .string).userInfo(["documentation": "On the cover."])
      }
      Entity("Order", parent: "Document") {
        Attribute("number", .integer64, default: 1)
        Attribute("total", .decimal, default: 19.99)
        Attribute("default", .boolean).optional().transient()
        Attribute("shipping", .composite("Address")).optional()
        Relationship("customer", toOne: "Customer", inverse: "orders").optional()
        Relationship("rows", toMany: "Row", inverse: "order", deleteRule: .cascade).ordered()
        Relationship("copies", toMany: "Document").required()
      }
      Entity("Row")
      Entity("Customer")
      Composite("Address") { Attribute("street", .string) }
    }
    let files = EntityTypeFiles(try EntityHierarchy(model), origin: "Shop, version v2").files
    #expect(
      files.map(\.name) == ["Document.swift", "Order.swift", "Row.swift", "Customer.swift", "Address.swift"])
    #expect(
      files[0].code == """
        import Foundation

        /// The entity Document of Shop, version v2.
        ///
        /// It is abstract: only its sub-entities have objects.
        ///
        /// What is filed.
        /// For ten years.
        struct Document: Hashable, Sendable {
          /// The identity of an object in a store.
          struct ObjectID: Hashable, Sendable {
            /// The primary key, `Z_PK`.
            var key: Int64
          }

          /// The object's identifier, nil before it is saved.
          var objectID: ObjectID?

          /// String.
          ///
          /// On the cover.
          var title: String
        }

        """)
    #expect(
      files[1].code == """
        import Foundation

        /// The entity Order of Shop, version v2.
        ///
        /// It inherits from Document.
        struct Order: Hashable, Sendable {
          /// The identity of an object in a store.
          typealias ObjectID = Document.ObjectID

          /// The object's identifier, nil before it is saved.
          var objectID: ObjectID?

          /// String.
          ///
          /// On the cover.
          var title: String

          /// Integer 64, default 1.
          var number: Int64 = 1

          /// Decimal, default 19.99.
          var total: Decimal = Decimal(sign: .plus, exponent: -2, significand: 1999)

          /// Boolean, optional, not stored.
          var `default`: Bool?

          /// Composite Address, optional.
          var shipping: Address?

          /// To one Customer, optional, inverse orders, delete rule Nullify.
          var customer: Customer.ObjectID?

          /// To many Row, ordered, optional, inverse order, delete rule Cascade.
          var rows: [Row.ObjectID] = []

          /// To many Document, no inverse, delete rule Nullify.
          var copies: Set<Document.ObjectID> = []
        }

        """)
    #expect(
      files[4].code == """
        import Foundation

        /// The composite type Address of Shop, version v2.
        struct Address: Hashable, Sendable {
          /// String.
          var street: String
        }

        """)
  }

  @Test("A stored struct has identifiers of the library, and an extension that reads and saves the stored properties")
  func stored() throws {
    let model = ManagedObjectModel {
      Entity("Document", isAbstract: true) { Attribute("title", .string) }
      Entity("Order", parent: "Document") {
        Attribute("total", .decimal, default: 19.99)
        Attribute("draft", .boolean).transient()
        Attribute("rowCount", .integer32, default: 0).derived(from: "rows.@count")
        Attribute("color", .transformable).optional()
        Attribute("shipping", .composite("Address")).optional()
        Relationship("template", toOne: "Document")
        Relationship("rows", toMany: "Row", inverse: "order").ordered()
      }
      Entity("Row") { Relationship("order", toOne: "Order", inverse: "rows").optional() }
      Composite("Address") { Attribute("street", .string) }
    }
    let files = try EntityTypeFiles(stored: EntityHierarchy(model), origin: "Shop, version v2").files
    #expect(
      files.map(\.name) == [
        "Document.swift", "Order.swift", "Row.swift", "Address.swift", "Document+Stored.swift", "Order+Stored.swift",
        "Row+Stored.swift", "Address+Stored.swift",
      ])
    let hashes = try VersionHashes(of: model).entities
    #expect(
      files[1].code == """
        // swift-format-ignore-file
        import Foundation
        import ModelKit

        /// The entity Order of Shop, version v2.
        ///
        /// It inherits from Document.
        struct Order: Hashable, Sendable {
          /// The identity of the object; nil before it is saved.
          var objectID: ObjectID<Order>?

          /// The version of the object when it was read.
          var version: ObjectVersion?

          /// String.
          var title: String

          /// Decimal, default 19.99.
          var total: Decimal = Decimal(sign: .plus, exponent: -2, significand: 1999)

          /// Boolean, not stored.
          var draft: Bool?

          /// Integer 32, default 0, derived from rows.@count.
          var rowCount: Int32?

          /// Transformable, optional.
          var color: Data?

          /// Composite Address, optional.
          var shipping: Address?

          /// To one Document, no inverse, delete rule Nullify.
          var template: ObjectID<Document>

          /// To many Row, ordered, optional, inverse order, delete rule Nullify.
          var rows: ObjectLinks<Row> = ObjectLinks()
        }

        """)
    #expect(
      files[5].code == """
        // swift-format-ignore-file
        import Foundation
        import ModelKit

        extension Order: StoredSubobject {
          typealias Superobject = Document

          static let storedEntity = StoredEntity(
            "Order", hash: "\(hashes["Order"]?.base64 ?? "")",
            destinations: [
              "template": StoredType<Document>.type,
              "rows": StoredType<Row>.type,
            ])

          init(_ record: StoredRecord) throws {
            objectID = record.objectID()
            version = record.version
            self.title = try record.required("title")
            self.total = try record.required("total")
            self.rowCount = try record.optional("rowCount")
            self.color = try record.optional("color")
            self.shipping = try record.optionalComposite("shipping")
            self.template = try record.requiredLink("template")
            self.rows = record.links("rows")
          }

          func store(in values: inout StoredValues) throws {
            values.set("title", self.title)
            values.set("total", self.total)
            values.setTransformed("color", self.color)
            try values.setComposite("shipping", self.shipping)
            try values.setLink("template", self.template)
            try values.setLinks("rows", self.rows)
          }

          /// The properties that requests can use.
          struct Properties: StoredProperties {
            let storedPath: StoredPath

            init(_ path: StoredPath) { storedPath = path }

            var title: StoredProperty<String> { StoredProperty(storedPath, "title") }
            var total: StoredProperty<Decimal> { StoredProperty(storedPath, "total") }
            var rowCount: StoredProperty<Int32> { StoredProperty(storedPath, "rowCount") }
            var color: StoredProperty<Data> { StoredProperty(storedPath, "color") }
            var shipping: Address.Properties { .init(storedPath.appending("shipping")) }
            var template: StoredToOne<Document> { StoredToOne(storedPath, "template") }
            var rows: StoredToMany<Row> { StoredToMany(storedPath, "rows") }
          }
        }

        """)
    #expect(
      files[4].code.contains(
        "\"Document\", hash: \"\(hashes["Document"]?.base64 ?? "")\",\n    subentities: [\"Order\"])"))
    #expect(files[7].code.contains("extension Address: StoredComposite {"))
  }

  @Test("Invalid names, and names that differ in case only, give files of their own")
  func names() throws {
    let files = EntityTypeFiles(try EntityHierarchy(HostileModel.model), origin: "hostile").files
    #expect(files.allSatisfy { $0.name.wholeMatch(of: /[\p{L}_][\p{L}\p{N}_]*\.swift/) != nil }, "\(files.map(\.name))")
    #expect(Set(files.map { $0.name.lowercased() }).count == files.count)
    #expect(files.map(\.name).filter { $0.lowercased().hasPrefix("order") }.sorted().count == 4)
  }

  @Test(
    "Without a warning the structs of a hostile model compile",
    arguments: CorpusSample.of([false, true], atMost: 1))
  func hostile(isStored: Bool) throws {
    try check(.init(path: "hostile", model: HostileModel.model), isStored: isStored)
  }

  @Test("Entities and properties may have names that stored structs use")
  func namesOfTheLibrary() throws {
    let words = [
      "ToMany", "ObjectLinks", "ObjectID", "ObjectVersion", "StoredObject", "StoredRecord", "StoredValues",
      "StoredProperty",
      "StoredToOne", "Properties", "Superobject", "ModelKit", "record", "values", "store", "storedEntity", "storedPath",
      "version", "path", "Property", "Entity", "Attribute", "Rule", "FetchRequest", "set", "count", "contains",
      "keyPath",
    ]
    let model = ManagedObjectModel {
      Composite("Parts") { for word in words { Attribute(word, .string).optional() } }
      for (position, word) in words.enumerated() {
        Entity(word, parent: position.isMultiple(of: 3) && position > 0 ? words[position - 1] : nil) {
          for other in CorpusSample.of(words, atMost: 10) where !position.isMultiple(of: 3) || position == 0 {
            if position.isMultiple(of: 2) {
              Attribute(other, .composite("Parts"))
            } else {
              Relationship(other, toMany: other)
            }
          }
        }
      }
    }
    try check(.init(path: "words", model: model), isStored: true)
  }

  @Test("Without a warning the structs of every sample version compile")
  func samples() throws {
    let examples = try ExampleModels.samples()
    #expect(examples.count == 14)
    for example in CorpusSample.of(examples, atMost: 1) {
      try check(example)
      if CorpusSample.isWhole { try check(example, isStored: true) }
    }
  }

  @Test(
    "Without a warning the structs of real models compile",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    let examples = ExampleModels.corpus(atMost: 1)
    for example in examples {
      if CorpusSample.isWhole { try check(example) }
      try check(example, isStored: true)
    }
    print("Swift structs of \(examples.count) corpus models compiled (MODELCTL_SEED=\(CorpusSample.seed))")
    #expect(!examples.isEmpty)
  }

  private func check(_ example: ExampleModels.Example, isStored: Bool = false) throws {
    let folder = try TemporaryFolder()
    let hierarchy = try EntityHierarchy(example.model)
    let types =
      try isStored
      ? EntityTypeFiles(stored: hierarchy, origin: example.path) : EntityTypeFiles(hierarchy, origin: example.path)
    try GeneratedFileWriter().write(types.files, toFolder: folder.path("types"))
    guard !types.files.isEmpty else { return }
    let files = types.files.map { folder.url.appendingPathComponent("types/\($0.name)") }
    let result = try SwiftCompiler().check(files, withModules: isStored)
    #expect(result.status == 0, "\(example.path): \(result.output.prefix(4000))")
    guard isStored else { return }
    try GeneratedFileWriter().write(types.joined(name: "All.swift"), to: folder.path("All.swift"))
    let joined = try SwiftCompiler().check([folder.url.appendingPathComponent("All.swift")])
    #expect(joined.status == 0, "\(example.path): \(joined.output.prefix(4000))")
  }
}
