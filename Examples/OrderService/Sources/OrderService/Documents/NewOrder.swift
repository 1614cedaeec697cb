import Foundation
import Hummingbird
import ModelKit

/// An order that a client sends.
///
/// Nothing is required here: the store says what is missing, everything at once.
struct NewOrder: Decodable, Sendable {
  /// A customer, who is found by the number, or new.
  struct NewCustomer: Decodable, Sendable {
    let number: Int32
    let fullName: String?
  }

  /// A service, which is found by the code, or new.
  struct NewService: Decodable, Sendable {
    let code: String
    let title: String?
    let price: Decimal?
  }

  struct NewRow: Decodable, Sendable {
    let service: NewService?
    let quantity: Double?
    let sum: Decimal?
  }

  let number: Int64?
  let date: Date?
  let note: String?
  let customer: NewCustomer?
  let rows: [NewRow]?

  /// Inserts the order, its rows, and the customer and the services that are not there yet.
  func insert(in transaction: StoreTransaction) throws -> RecordID {
    let rows = rows ?? []
    guard rows.count <= Int(Int16.max) else {
      throw HTTPError(.unprocessableContent, message: "an order has at most \(Int16.max) rows")
    }
    let customer = try customer.map { try $0.record(in: transaction) }
    var services: [String: RecordID] = [:]
    for service in rows.compactMap(\.service) where services[service.code] == nil {
      services[service.code] = try service.record(in: transaction)
    }
    let order = try transaction.insert(
      "Order",
      given([
        "number": number.map(RecordValue.init), "date": date.map(RecordValue.init), "note": note.map(RecordValue.init),
        "customer": customer.map { .object($0) }, "rowCount": RecordValue(Int32(clamping: rows.count)),
        "total": RecordValue(rows.reduce(0) { $0 + ($1.sum ?? 0) }),
      ]))
    for (position, row) in rows.enumerated() {
      try transaction.insert(
        "RowOfOrder",
        given([
          "order": .object(order), "position": RecordValue(Int16(position)),
          "quantity": row.quantity.map(RecordValue.init), "sum": row.sum.map(RecordValue.init),
          "service": row.service.flatMap { services[$0.code] }.map { .object($0) },
        ]))
    }
    return order
  }
}

extension NewOrder.NewCustomer {
  fileprivate func record(in transaction: StoreTransaction) throws -> RecordID {
    if let known = try transaction.fetch(Customer.self, where: { $0.number == number }).first {
      return try known.savedID.record
    }
    let searchName = fullName?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    return try transaction.insert(
      "Customer",
      given([
        "number": RecordValue(number), "fullName": fullName.map(RecordValue.init),
        "searchName": searchName.map(RecordValue.init), "registrationDate": RecordValue(Date()),
      ]))
  }
}

extension NewOrder.NewService {
  fileprivate func record(in transaction: StoreTransaction) throws -> RecordID {
    if let known = try transaction.fetch(Service.self, where: { $0.code == code }).first {
      return try known.savedID.record
    }
    return try transaction.insert(
      "Service",
      given([
        "code": RecordValue(code), "title": title.map(RecordValue.init), "price": price.map(RecordValue.init),
      ]))
  }
}

/// The values that were given; the others get their defaults.
private func given(_ values: [String: RecordValue?]) -> [String: RecordValue] { values.compactMapValues(\.self) }

extension RecordValue {
  /// The value of an attribute.
  fileprivate init(_ value: some StoredValue) { self = .attribute(value.storedValue) }
}
