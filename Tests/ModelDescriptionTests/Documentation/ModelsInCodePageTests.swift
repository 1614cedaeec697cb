import Foundation
import ModelKit
import Testing

/// The code of `docs/models-in-code.md`, block by block; a test holds the page against this file.
@Suite("The page about models in code")
struct ModelsInCodePageTests {
  @Test("A model and its hashes")
  func first() throws {
    let shop = ManagedObjectModel {
      Entity("Order") {
        Attribute("number", .integer64, default: 0)
        Attribute("note", .string).optional().maximumLength(500)
        Attribute("total", .decimal, default: 0).minimum(0)
        Relationship("rows", toMany: "RowOfOrder", inverse: "order", deleteRule: .cascade).ordered()
        UniquenessConstraint("number")
      }
      Entity("RowOfOrder") {
        Attribute("quantity", .double, default: 1)
        Relationship("order", toOne: "Order", inverse: "rows")
      }
    }

    let hashes = try VersionHashes(of: shop)
    print(hashes.checksum)
    #expect(hashes.entities.keys.sorted() == ["Order", "RowOfOrder"])
    #expect(try problems(of: shop).isEmpty)
  }

  func problems(of model: ManagedObjectModel) throws -> [String] {
    _ = try EntityHierarchy(model)
    return Rule.check(model, named: "Shop").map { "\($0.rule): \($0.message)" }
  }

  @Test("Entities beside their types")
  func beside() throws {
    struct Customer: EntityDescribing {
      var name: String

      static let entity = Entity("Customer") {
        Attribute("name", .string)
        Relationship("invoices", toMany: Invoice.self, inverse: "customer", deleteRule: .deny)
      }
    }

    struct Invoice: EntityDescribing {
      var isPaid: Bool

      static let entity = Entity("Invoice") {
        Attribute("isPaid", .boolean, default: false)
        Relationship("customer", toOne: Customer.self, inverse: "invoices")
      }
    }

    let office = ManagedObjectModel {
      Customer.self
      Invoice.self
    }
    #expect(try problems(of: office).isEmpty)
  }

  @Test("Everything else")
  func everything() throws {
    let address = Composite("Address") {
      Attribute("street", .string)
      Attribute("city", .string).optional()
    }

    let library = ManagedObjectModel(versionIdentifiers: ["2.0"]) {
      address
      Entity("Medium", isAbstract: true, renamingIdentifier: "Item", userInfo: ["owner": "catalogue"]) {
        Attribute("title", .string).renamingIdentifier("name")
        Attribute("searchTitle", .string).derived(from: "canonical:(title)")
        Attribute("cover", .binary).optional().allowsExternalBinaryDataStorage()
        Attribute("color", .transformable(class: "NSColor", transformer: "ColorTransformer")).optional()
        Attribute("latitude", .double, default: 0)
        Attribute("longitude", .double, default: 0)
        Attribute("isOpen", .boolean).transient()
        FetchIndex("place", .rTree("latitude"), .rTree("longitude"))
        FetchIndex("byTitle", .ascending("title"), partialIndexPredicate: "title != nil")
      }
      Entity("Book", parent: "Medium", versionHashModifier: "2") {
        Attribute("publisher", .composite(address)).optional()
        for language in ["de", "en", "fr"] {
          Attribute("title_\(language)", .string).optional()
        }
        FetchedProperty("others", of: "Book", predicate: "publisher == $FETCH_SOURCE.publisher").optional()
      }
      Configuration("Catalogue") {
        "Medium"
        "Book"
      }
      FetchRequestTemplate("titled", of: "Book", predicate: "title == $TITLE", settings: ["fetchLimit": "10"])
    }
    let publisher = library.entities[1].attributes.first
    #expect(publisher?.leaves.map(\.path) == [["publisher", "street"], ["publisher", "city"]])
    #expect(try problems(of: library).isEmpty)
  }

  @Test("Every block of the page is here, line by line")
  func page() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = (0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() }
    let page = try String(contentsOf: root.appendingPathComponent("docs/models-in-code.md"), encoding: .utf8)
    let code = Self.lines(of: try String(contentsOf: file, encoding: .utf8)).joined(separator: "\n")
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    #expect(blocks.count == 4)
    for block in blocks { #expect(code.contains(Self.lines(of: block).joined(separator: "\n")), "\(block)") }
  }

  /// The lines that are not empty, without imports and indentation.
  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }
}
