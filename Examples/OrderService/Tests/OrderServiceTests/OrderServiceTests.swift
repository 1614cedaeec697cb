import Foundation
import ModelKit
import Testing

@Suite("The service of orders")
struct OrderServiceTests {
  let store: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("orders-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = folder.appendingPathComponent("orders.sqlite").path
  }

  private static var order: [String: Any] {
    [
      "number": 7, "date": "2026-11-24T08:00:00Z", "customer": ["number": 1, "fullName": "Anna Karenina"],
      "rows": [
        ["service": ["code": "M1", "title": "Massage", "price": 40], "quantity": 2, "sum": 80],
        ["service": ["code": "S1", "title": "Sauna", "price": 19.5], "sum": 19.5],
      ],
    ]
  }

  private static func models() throws -> LoadedWorkspace {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try Workspace(at: package.appendingPathComponent("Sources/OrderService/Orders.xcdatamodeld").path).load()
  }

  @Test("An order is saved with its rows, read, changed by who has read it, and deleted with its rows")
  func life() async throws {
    let service = try RunningService(store: store)
    #expect(service.greeting.hasPrefix("\(store): made\n"))
    let created = try await service.send("POST", "/orders", [:], Self.order)
    #expect(created.status == 201 && created.version == "\"1\"")
    #expect(created.object["total"] as? Double == 99.5 && created.object["rowCount"] as? Int == 2)
    let rows = created.object["rows"] as? [[String: Any]]
    #expect(rows?.map { $0["service"] as? String } == ["M1", "S1"] && rows?.map { $0["quantity"] as? Int } == [2, 1])
    let path = try "/orders/\(#require(created.object["id"] as? Int))"
    let paid = try await service.send("PATCH", path, [:], ["isPaid": true, "note": "door"], version: created.version)
    #expect(paid.status == 200 && paid.version == "\"2\"" && paid.object["note"] as? String == "door")
    let late = try await service.send("PATCH", path, [:], ["isPaid": false], version: created.version)
    #expect(late.status == 412 && late.version == "\"2\"")
    #expect(try await service.send("PATCH", path, [:], ["note": NSNull()]).object["note"] == nil)
    let read = try await service.send("GET", path)
    #expect(read.object["isPaid"] as? Bool == true && read.version == "\"3\"")
    #expect(try await service.send("DELETE", path, version: paid.version).status == 412)
    #expect(try await service.send("DELETE", path, version: read.version).status == 204)
    #expect(try await service.send("GET", path).status == 404)
    #expect(try await service.send("DELETE", path).status == 404)
    #expect(service.stop() == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(store)-wal"))
    let left = try await ObjectStore.open(store, model: Self.models())
    #expect(try left.count(RecordRequest("RowOfOrder")) == 0 && left.count(RecordRequest("Service")) == 2)
  }

  @Test("Orders are asked for by a predicate; a wrong one is 400 with its place")
  func predicates() async throws {
    let service = try RunningService(store: store)
    for number in 1...3 {
      var order = Self.order
      order["number"] = number
      #expect(try await service.send("POST", "/orders", [:], order).status == 201)
    }
    func numbers(_ query: [String: String]) async throws -> [Int] {
      let found = try await service.send("GET", "/orders", query).json as? [[String: Any]]
      return try #require(found).compactMap { $0["number"] as? Int }
    }
    #expect(try await numbers([:]) == [3, 2, 1])
    #expect(try await numbers(["where": "number > 1 AND customer.fullName BEGINSWITH 'Anna'"]) == [3, 2])
    #expect(try await numbers(["limit": "1", "offset": "1"]) == [2])
    let wrong = try await service.send("GET", "/orders", ["where": "number > 1 AND isPayed == NO"])
    #expect(wrong.status == 400)
    #expect((wrong.error["message"] as? String)?.hasPrefix("at character 16: ") == true, "\(wrong.error)")
    #expect(try await service.send("GET", "/orders", ["where": "number >"]).status == 400)
    #expect(try await service.send("GET", "/orders", ["limit": "few"]).status == 400)
    #expect(try await service.send("GET", "/orders/seven").status == 400)
    #expect(try await service.send("GET", "/orders/-1").status == 404)
    #expect(try await service.send("GET", "/orders?where=customer.fullName+BEGINSWITH+%27Anna%27").status == 200)
    #expect(service.stop() == 0)
  }

  @Test("What keeps an order from being saved is said at once, with Core Data's numbers; nothing of it is saved")
  func problems() async throws {
    let service = try RunningService(store: store)
    let wrong = try await service.send(
      "POST", "/orders", [:], ["customer": ["number": 1], "rows": [["sum": 5], ["service": ["code": "M1"]]]])
    #expect(wrong.status == 422 && wrong.error["code"] as? Int == 1560)
    #expect(wrong.codes.count == 5 && Set(wrong.codes) == [1570], "\(wrong.error)")
    #expect(try await service.send("POST", "/orders", [:], ["rows": "none"]).status == 400)
    let noDay = try await service.send("POST", "/orders", [:], ["date": "2026-02-30T08:00:00Z"])
    #expect(noDay.status == 400 && "\(noDay.error)".contains("2026-02-30"), "\(noDay.error)")
    #expect(try await service.send("GET", "/orders").json as? [[String: String]] == [])
    #expect(service.stop() == 0)
  }

  @Test("A method that a path does not have is 405 with those that it has; what is not there is 404 with a message")
  func wrongRequests() async throws {
    let service = try RunningService(store: store)
    for (method, path, allowed) in [
      ("PUT", "/orders", "GET, HEAD, POST"), ("POST", "/orders/1", "GET, HEAD, PATCH, DELETE"),
      ("DELETE", "/changes", "GET, HEAD"),
    ] {
      let answer = try await service.send(method, path)
      #expect(answer.status == 405 && answer.header("allow") == allowed, "\(answer)")
      #expect(answer.error["message"] as? String == "this path takes \(allowed) only", "\(answer)")
    }
    for path in ["/nothing", "/orders/9", "/orders/-1"] {
      let answer = try await service.send("GET", path)
      #expect(answer.status == 404 && answer.error["message"] is String, "\(answer)")
    }
    #expect(try await service.send("HEAD", "/orders").status == 200)
    #expect(service.stop() == 0)
  }

  @Test("What goes wrong inside the service is 500 with a message")
  func failure() async throws {
    let service = try RunningService(store: store)
    #expect(try await service.send("GET", "/orders").status == 200)
    try FileManager.default.removeItem(atPath: store)
    for (method, body) in [("GET", nil), ("POST", Self.order)] as [(String, [String: Any]?)] {
      let answer = try await service.send(method, "/orders", [:], body)
      #expect(answer.status == 500 && answer.error["message"] is String, "\(method): \(answer)")
      #expect(answer.header("content-type")?.hasPrefix("application/json") == true, "\(answer)")
    }
    #expect(service.stop() == 0)
  }

  @Test("Each save is an event; the stream ends with the service")
  func changes() async throws {
    let service = try RunningService(store: store)
    var lines = EventReader(try service.url("/changes")).lines.makeAsyncIterator()
    #expect(await lines.next() == ": each save is an event")
    #expect(await lines.next()?.isEmpty == true)
    #expect(try await service.send("POST", "/orders", [:], Self.order).status == 201)
    #expect(await lines.next() == "event: save")
    let data = try #require(await lines.next()?.dropFirst("data: ".count))
    let event = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: [String]]
    #expect(event?["inserted"]?.contains("Order 1") == true && event?["inserted"]?.count == 6, "\(data)")
    #expect(await lines.next()?.isEmpty == true)
    #expect(service.stop() == 0)
    #expect(await lines.next() == nil)
  }

  @Test("A store of the first version is migrated when the service starts")
  func migration() async throws {
    let first = try Self.models().versions[0]
    try StoreCreator(of: first.hierarchy).create(at: store, filling: SyntheticRows(seed: 7, rowsPerEntity: 3))
    let service = try RunningService(store: store)
    let words = "\(store): migrated from v1 to v6; the old store is \(store).v1.backup\n"
    #expect(service.greeting.hasPrefix(words), "\(service.greeting)")
    #expect((try await service.send("GET", "/orders").json as? [[String: Any]])?.count == 3)
    #expect(service.stop() == 0)
  }
}
