public import Foundation
public import ModelKit

/// The current version of the shop's model, made of the types below; each describes its own entity.
public enum Orders {
  /// The sixth version.
  public static let v6 = ManagedObjectModel {
    Contact.self
    Customer.self
    Order.self
    Payment.self
    RowOfOrder.self
    Service.self
  }
}

/// How to reach a customer.
public struct Contact: EntityDescribing {
  /// The address for mail.
  public var email: String?
  /// The number to call.
  public var phone: String?

  /// The entity.
  public static let entity = Entity("Contact", syncable: .withProperties) {
    Attribute("email", .string).optional()
    Attribute("phone", .string).optional()
    Relationship("customer", toOne: Customer.self, inverse: "contact").minCount(1)
  }
}

/// Somebody who orders.
public struct Customer: EntityDescribing {
  /// The first and the last name.
  public var fullName: String
  /// The customer's number, which no other customer has.
  public var number: Int32

  /// The entity.
  public static let entity = Entity("Customer", syncable: .withProperties) {
    Attribute("fullName", .string).renamingIdentifier("name")
    Attribute("isActive", .boolean, default: true)
    Attribute("number", .integer32, default: 0)
    Attribute("registrationDate", .date)
    Attribute("searchName", .string)
    Relationship("contact", toOne: Contact.self, inverse: "customer", deleteRule: .cascade).optional()
    Relationship("orders", toMany: Order.self, inverse: "customer", deleteRule: .deny)
    UniquenessConstraint("number")
  }
}

/// What a customer orders at once.
public struct Order: EntityDescribing {
  /// The day of the order.
  public var date: Date
  /// The sum of its rows.
  public var total: Decimal

  /// The entity.
  public static let entity = Entity("Order", syncable: .withProperties) {
    Attribute("currency", .string, default: "EUR")
    Attribute("date", .date)
    Attribute("isPaid", .boolean, default: false)
    Attribute("note", .string).optional()
    Attribute("number", .integer64, default: 0)
    Attribute("rowCount", .integer32, default: 0)
    Attribute("shippingDate", .date).optional()
    Attribute("total", .decimal, default: 0)
    Relationship("customer", toOne: Customer.self, inverse: "orders").minCount(1)
    Relationship("payments", toMany: Payment.self, inverse: "order", deleteRule: .cascade)
    Relationship("rows", toMany: RowOfOrder.self, inverse: "order", deleteRule: .cascade)
    FetchIndex("byDate", .descending("date"))
  }
}

/// Money for an order.
public struct Payment: EntityDescribing {
  /// How much was paid.
  public var amount: Decimal

  /// The entity.
  public static let entity = Entity("Payment", syncable: .withProperties) {
    Attribute("amount", .decimal, default: 0)
    Attribute("date", .date)
    Attribute("method", .string, default: "card")
    Attribute("reference", .string).optional()
    Relationship("order", toOne: Order.self, inverse: "payments").minCount(1)
  }
}

/// A service in an order.
public struct RowOfOrder: EntityDescribing {
  /// How often it is ordered.
  public var quantity: Double

  /// The entity.
  public static let entity = Entity("RowOfOrder", syncable: .withProperties) {
    Attribute("discount", .double, default: 0)
    Attribute("position", .integer16, default: 0)
    Attribute("quantity", .double, default: 1)
    Attribute("sum", .decimal, default: 0)
    Relationship("order", toOne: Order.self, inverse: "rows").minCount(1)
    Relationship("service", toOne: Service.self, inverse: "rows").minCount(1)
  }
}

/// What can be ordered.
public struct Service: EntityDescribing {
  /// What customers call it.
  public var title: String

  /// The entity.
  public static let entity = Entity("Service", syncable: .withProperties) {
    Attribute("code", .string)
    Attribute("isOffered", .boolean, default: true)
    Attribute("minutes", .integer32, default: 0).optional()
    Attribute("price", .decimal, default: 0)
    Attribute("title", .string)
    Relationship("rows", toMany: RowOfOrder.self, inverse: "service", deleteRule: .deny)
  }
}
