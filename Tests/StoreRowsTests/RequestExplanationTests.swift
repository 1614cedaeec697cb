import GRDB
import MappingModels
import ModelDescription
import StoreRows
import Testing

@Suite("A request explains its SQL, and gives its objects one by one")
struct RequestExplanationTests {
  let store: RowsStore

  init() throws { store = try RowsStore() }

  @Test("The statement has its values, and a search by key is one")
  func key() throws {
    let request = try RecordRequest("Order", where: "SELF == %@ AND number > 5", RecordID(entity: "Order", key: 1))
    let explanation = try store.read { try $0.explain(request) }
    #expect(explanation.sql.hasPrefix("SELECT \"o\".\"Z_PK\", \"o\".\"Z_ENT\", \"o\".\"Z_OPT\""))
    #expect(
      explanation.sql.hasSuffix("WHERE ((\"o\".\"Z_PK\" = 1) AND (\"o\".\"ZNUMBER\" > 5)) ORDER BY \"o\".\"Z_PK\""))
    #expect(explanation.steps.map(\.detail) == ["SEARCH o USING INTEGER PRIMARY KEY (rowid=?)"])
    #expect(explanation.steps.first?.parent == nil)
  }

  @Test("A part of a step names the step that it is a part of")
  func parts() throws {
    let request = try RecordRequest("Customer", where: "orders.@count > 1")
    let steps = try store.read { try $0.explain(request) }.steps
    let part = try #require(steps.first { $0.parent != nil })
    #expect(steps.contains { $0.number == part.parent })
  }

  @Test("Counts and groups are explained too, and errors are refused in the same way")
  func others() throws {
    let request = try RecordRequest("Item", where: "title == 'pen'")
    #expect(try store.read { try $0.explainCount(request) }.sql.hasPrefix("SELECT COUNT(*) FROM \"ZITEM\""))
    #expect(try store.read { try $0.explain([.count], by: ["title"], of: request) }.sql.contains("GROUP BY 1"))
    #expect(throws: RecordRequestError.self) {
      try store.read { try $0.explain(RecordRequest("Item", where: "titel == 'x'")) }
    }
  }

  @Test("The beginning of a text and an equal text are found by an index")
  func index() throws {
    try store.execute("CREATE INDEX test ON ZITEM (ZTITLE)")
    for text in ["title BEGINSWITH 'p'", "title == 'pen'", "title BETWEEN {'a', 'p'}"] {
      let steps = try store.read { try $0.explain(RecordRequest("Item", where: text)) }.steps
      #expect(steps.contains { $0.detail.contains("USING INDEX test (ZTITLE") }, "\(text): \(steps)")
    }
  }

  @Test("A cursor gives the objects in their order, and then nothing")
  func cursor() throws {
    var request = RecordRequest("Item")
    request.sort = [RecordSort("price", isAscending: false)]
    let keys = try store.read { reading in
      let cursor = try reading.cursor(request)
      var keys: [Int64] = []
      while let record = try cursor.next() { keys.append(record.id.key) }
      #expect(try cursor.next() == nil)
      return keys
    }
    #expect(keys == [2, 1, 4, 3])
  }
}
