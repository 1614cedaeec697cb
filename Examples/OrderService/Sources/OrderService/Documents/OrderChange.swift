import Foundation

/// What a client changes in an order: what the document names, where null takes the value away.
struct OrderChange: Decodable, Sendable {
  private enum Key: String, CodingKey {
    case isPaid, note, shippingDate
  }

  private let isPaid: Bool?
  private let note: String??
  private let shippingDate: Date??

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    isPaid = try values.decodeIfPresent(Bool.self, forKey: .isPaid)
    note = values.contains(.note) ? .some(try values.decodeIfPresent(String.self, forKey: .note)) : nil
    shippingDate =
      values.contains(.shippingDate) ? .some(try values.decodeIfPresent(Date.self, forKey: .shippingDate)) : nil
  }

  /// Changes an order.
  func apply(to order: inout Order) {
    if let isPaid { order.isPaid = isPaid }
    if let note { order.note = note }
    if let shippingDate { order.shippingDate = shippingDate }
  }
}
