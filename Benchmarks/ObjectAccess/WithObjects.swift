import Foundation
import ModelKit

/// The tasks with an `ObjectStore`.
struct WithObjects {
  let store: ObjectStore

  init(bundle: String, store path: String) throws {
    var options = OpeningOptions()
    options.migration = .to("v1")
    store = try ObjectStore.open(path, model: Workspace(at: bundle).load(), options: options)
  }

  func run(_ task: ObjectAccess.Task) throws -> (Duration, Int) {
    switch task {
    case .fetch:
      return try ObjectAccess.measured { try store.read { try $0.fetch(RecordRequest("Order")) }.count }
    case .include:
      var request = RecordRequest("Order")
      request.limit = 1000
      return try ObjectAccess.measured {
        let graph = try store.read { try $0.fetch(request, including: InclusionTree(["customer", "rows"])) }
        return graph.related.count
      }
    case .count:
      return try ObjectAccess.measured {
        var found = 0
        for _ in 0..<20 {
          let request = try RecordRequest("Order", where: "isPaid == NO AND total > 50")
          found = try store.read { try $0.count(request) }
        }
        return found
      }
    case .sum:
      return try ObjectAccess.measured {
        try store.read { try $0.groups([.sum("total")], by: ["customer"], of: RecordRequest("Order")) }.count
      }
    case .insert: return try ObjectAccess.measured { try insert() }
    case .update:
      return try ObjectAccess.measured {
        try store.write { transaction in
          let orders = try transaction.fetch(first(10_000))
          for var order in orders {
            order.values["note"] = "changed"
            try transaction.update(order)
          }
          return orders.count
        }
      }
    case .delete:
      return try ObjectAccess.measured {
        let saving = try store.saving(isWritten: true) { transaction in
          for order in try transaction.fetch(first(10_000)) { try transaction.delete(order.id) }
        }
        return saving.writes.deletions.count
      }
    case .get:
      let ids = try store.read { try $0.fetch(first(10_000)).map(\.id) }
      return try ObjectAccess.measured {
        try ids.count { id in try store.read { try $0.object(id) } != nil }
      }
    case .cursor:
      return try ObjectAccess.measured {
        var count = 0
        try store.read { try $0.forEach(RecordRequest("Order")) { _ in count += 1 } }
        return count
      }
    }
  }

  private func first(_ count: Int) -> RecordRequest {
    var request = RecordRequest("Order")
    request.limit = count
    return request
  }

  private func insert() throws -> Int {
    try store.write { transaction in
      let customers = try (0..<1000).map { number in
        try transaction.insert(
          "Customer",
          [
            "name": .attribute(.string("Customer \(number)")), "number": .attribute(.integer(Int64(number))),
            "registrationDate": .attribute(.date(Double(number))),
            "email": .attribute(.string("customer\(number)@example.com")),
          ])
      }
      for number in 0..<99_000 {
        try transaction.insert(
          "Order",
          [
            "number": .attribute(.integer(Int64(number))), "date": .attribute(.date(Double(number))),
            "total": .attribute(.decimal(Decimal(number))), "note": .attribute(.string("order \(number)")),
            "isPaid": .attribute(.boolean(number % 2 == 0)), "customer": .object(customers[number % 1000]),
          ])
      }
      return 100_000
    }
  }
}
