import MappingModels
import MigrationSQL
import ModelComparison
import ModelDescription
import StoreMigration
import Testing

@Suite("The changes of the model that the statements of a plan are for")
struct StepSubjectTests {
  /// The statements of a plan up to a length, each with the changes behind it.
  private static func steps(
    _ source: [EntityDescription], _ destination: [EntityDescription], rows: Int = 3,
    _ options: MigrationOptions = MigrationOptions()
  ) throws -> [String] {
    let store = try VersionedStore(source, destination, rows: rows)
    let stage = try #require(try store.migrator(to: 1, options).plan().prepared.stages.first)
    return stage.plan.steps.map { step in
      let words = step.changes(in: stage.step).map { "\($0.element) \($0.words.sentence)" }
      let verb = step.statement.text.split(separator: " ").prefix(3).joined(separator: " ")
      return "\(verb): \(words.joined(separator: ", "))"
    }
  }

  @Test("an attribute that is added, removed, renamed or converted")
  func attributes() throws {
    let source: [EntityDescription] = [
      .entity("Order", [.optional("note"), .optional("size", .integer64), .optional("old"), .optional("same")])
    ]
    let destination: [EntityDescription] = [
      .entity(
        "Order",
        [
          .optional("remark", was: "note"), .optional("size", .integer16), .required("kind", default: .string("a")),
          .optional("same"),
        ])
    ]
    let options = MigrationOptions(allowedLosses: ["Order.old"])
    let steps = try Self.steps(source, destination, options)
    let all =
      "Order.kind added, Order.old removed, Order.remark renamed from note, Order.size type: Integer 64 → Integer 16"
    #expect(
      steps.filter { !$0.hasSuffix(": ") } == [
        "CREATE TABLE ZORDER: \(all)", #"INSERT INTO "ZORDER": \#(all)"#,
        #"DROP TABLE "modelctl_old_ZORDER": \#(all)"#,
      ])
  }

  @Test("properties that move in persistent history, and values of deletions that do")
  func history() throws {
    func kept(_ name: String, was identifier: String? = nil) -> AttributeDescription {
      var attribute = AttributeDescription.optional(name, was: identifier)
      attribute.preservesValueInHistoryOnDeletion = true
      return attribute
    }
    let store = try VersionedStore(
      [.entity("Base", [.optional("note")]), .entity("Order", under: "Base", [kept("title")])],
      [
        .entity("Base", [.optional("remark", was: "note")]),
        .entity("Order", under: "Base", [kept("about"), kept("title")]),
      ],
      rows: 1,
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB)
      """, "INSERT INTO ACHANGE VALUES (1, 2, 2, NULL, 'a')")
    let stage = try #require(try store.migrator(to: 1).plan().prepared.stages.first)
    let found = stage.plan.steps.filter { $0.statement.text.contains("ACHANGE") }.map { step in
      let words = step.changes(in: stage.step).map { "\($0.element) \($0.words.sentence)" }
      return "\(step.statement.text.split(separator: " ")[0]): \(words.joined(separator: ", "))"
    }
    #expect(
      found == [
        "UPDATE: Base.remark renamed from note, Order.about added", "ALTER: Order.about added",
        "UPDATE: Order.about added",
      ])
  }

  @Test("an added entity with an index, and a removed entity")
  func entities() throws {
    var payment = EntityDescription.entity("Payment", [.optional("amount", .double)])
    payment.fetchIndexes = [.init(name: "byAmount", elements: [.init(subject: .property("amount"))])]
    let steps = try Self.steps(
      [.entity("Order", [.optional("note")]), .entity("Draft", [.optional("text")])],
      [.entity("Order", [.optional("note")]), payment], MigrationOptions(allowedLosses: ["Draft"]))
    #expect(
      steps.filter { !$0.hasSuffix(": ") } == [
        #"DROP TABLE "ZDRAFT": Draft removed"#, #"UPDATE "ZORDER" SET: Payment added, Draft removed"#,
        "CREATE TABLE ZPAYMENT: Payment added", "CREATE INDEX Z_Payment_byAmount: Payment added",
        #"DELETE FROM "Z_PRIMARYKEY": Payment added, Draft removed"#,
        #"INSERT INTO "Z_PRIMARYKEY": Payment added, Draft removed"#,
      ])
  }

  @Test("each column of a kept table has its own change")
  func columns() throws {
    let steps = try Self.steps(
      [.entity("Order", [.optional("note"), .optional("size", .integer32), .optional("flag")])],
      [
        .entity(
          "Order",
          [.optional("remark", was: "note"), .optional("size", .double), .optional("flag"), .optional("kind")])
      ])
    #expect(
      steps.filter { $0.hasPrefix("ALTER") } == [
        #"ALTER TABLE "ZORDER": Order.size type: Integer 32 → Double"#,
        #"ALTER TABLE "ZORDER": Order.size type: Integer 32 → Double"#,
        #"ALTER TABLE "ZORDER": Order.remark renamed from note"#, #"ALTER TABLE "ZORDER": Order.kind added"#,
      ])
  }

  @Test("a relationship whose links are stored in another way")
  func links() throws {
    let steps = try Self.steps(
      [
        .entity("Order", [.optional("note")], [.toOne("customer", "Customer", inverse: "orders")]),
        .entity("Customer", [.optional("name")], [.toMany("orders", "Order", inverse: "customer")]),
      ],
      [
        .entity("Order", [.optional("note")], [.toMany("customer", "Customer", inverse: "orders")]),
        .entity("Customer", [.optional("name")], [.toMany("orders", "Order", inverse: "customer")]),
      ])
    let join = steps.filter { $0.contains("Z_1ORDERS") || $0.contains("Z_2CUSTOMER") }
    #expect(!join.isEmpty && join.allSatisfy { $0.contains(": Order.customer toMany: no → yes") }, "\(steps)")
  }

  @Test("only an index, and only the hashes")
  func indexes() throws {
    var order = EntityDescription.entity("Order", [.optional("note")])
    order.versionHashModifier = "2"
    order.fetchIndexes = [.init(name: "byNote", elements: [.init(subject: .property("note"))])]
    let steps = try Self.steps([.entity("Order", [.optional("note")])], [order])
    #expect(
      steps == [
        "CREATE INDEX Z_Order_byNote: Order index byNote added", #"UPDATE "Z_METADATA" SET: "#,
        #"DELETE FROM "Z_MODELCACHE": "#,
      ])
  }
}
