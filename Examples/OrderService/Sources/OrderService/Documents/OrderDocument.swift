import Foundation
import Hummingbird
import ModelKit

/// An order with its customer and its rows, as clients get it.
struct OrderDocument: ResponseEncodable {
  struct CustomerDocument: Encodable {
    let number: Int32
    let fullName: String
  }

  struct RowDocument: Encodable {
    let service: String
    let quantity: Double
    let sum: Decimal
  }

  let id: Int64
  let version: Int64
  let number: Int64
  let date: Date
  let shippingDate: Date?
  let currency: String
  let isPaid: Bool
  let note: String?
  let rowCount: Int32
  let total: Decimal
  let customer: CustomerDocument
  let rows: [RowDocument]

  /// Takes an order, and what was brought along with it.
  init(_ order: Order, in graph: ObjectGraph<Order>) throws {
    id = try order.savedID.record.key
    version = order.version?.number ?? 0
    (number, date, shippingDate) = (order.number, order.date, order.shippingDate)
    (currency, isPaid, note) = (order.currency, order.isPaid, order.note)
    (rowCount, total) = (order.rowCount, order.total)
    let customer = try graph.required(order.customer)
    self.customer = CustomerDocument(number: customer.number, fullName: customer.fullName)
    rows = try graph.required(order.rows).sorted { $0.position < $1.position }.map { row in
      RowDocument(service: try graph.required(row.service).code, quantity: row.quantity, sum: row.sum)
    }
  }
}
