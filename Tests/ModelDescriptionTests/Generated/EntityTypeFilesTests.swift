import Foundation
import ModelDescription
import ModelFiles
import Reports
import TestSupport
import Testing

@Suite("Swift structs for entities")
struct EntityTypeFilesTests {
  @Test("A struct says what the entity says")
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
          /// What identifies an object in a store.
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
          /// What identifies an object in a store.
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

  @Test("Names that are no names, and names that differ in case only, give files of their own")
  func names() throws {
    let files = EntityTypeFiles(try EntityHierarchy(HostileModel.model), origin: "hostile").files
    #expect(files.allSatisfy { $0.name.wholeMatch(of: /[\p{L}_][\p{L}\p{N}_]*\.swift/) != nil }, "\(files.map(\.name))")
    #expect(Set(files.map { $0.name.lowercased() }).count == files.count)
    #expect(files.map(\.name).filter { $0.lowercased().hasPrefix("order") }.sorted().count == 4)
  }

  @Test("Without a warning the structs of a hostile model compile")
  func hostile() throws { try check(.init(path: "hostile", model: HostileModel.model)) }

  @Test("Without a warning the structs of every sample version compile")
  func samples() throws {
    let examples = try ExampleModels.samples()
    for example in examples { try check(example) }
    #expect(examples.count == 14)
  }

  @Test(
    "Without a warning the structs of real models compile",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    let examples = ExampleModels.corpus(atMost: 5)
    for example in examples { try check(example) }
    print("Swift structs of \(examples.count) corpus models compiled (MODELCTL_SEED=\(CorpusSample.seed))")
    #expect(!examples.isEmpty)
  }

  private func check(_ example: ExampleModels.Example) throws {
    let folder = try TemporaryFolder()
    let types = EntityTypeFiles(try EntityHierarchy(example.model), origin: example.path)
    try GeneratedFileWriter().write(types.files, toFolder: folder.path("types"))
    guard !types.files.isEmpty else { return }
    let result = try SwiftCompiler().check(
      types.files.map { folder.url.appendingPathComponent("types/\($0.name)") }, withModules: false)
    #expect(result.status == 0, "\(example.path): \(result.output.prefix(4000))")
  }
}
