public import ModelKit

extension Orders {
  /// The versions before the current one, in one description: what a version brings stands behind a condition.
  ///
  /// - Parameter version: the number of the version, 1 to 6.
  /// - Returns: the model of that version.
  public static func model(version: Int) -> ManagedObjectModel {
    ManagedObjectModel {
      if version >= 5 {
        Entity("Contact", syncable: .withProperties) {
          Attribute("email", .string).optional()
          Attribute("phone", .string).optional()
          Relationship("customer", toOne: "Customer", inverse: "contact").minCount(1)
        }
      }
      customer(version)
      order(version)
      if version >= 4 {
        Entity("Payment", syncable: .withProperties) {
          Attribute("amount", .decimal, default: 0)
          Attribute("date", .date)
          Attribute("method", .string, default: "card")
          Attribute("reference", .string).optional()
          Relationship("order", toOne: "Order", inverse: "payments").minCount(1)
        }
      }
      row(version)
      service(version)
    }
  }

  private static func customer(_ version: Int) -> Entity {
    Entity("Customer", syncable: .withProperties) {
      if version < 5 { Attribute("email", .string).optional() }
      if version >= 3 { Attribute("fullName", .string).renamingIdentifier("name") }
      Attribute("isActive", .boolean, default: true)
      if version < 3 { Attribute("name", .string) }
      Attribute("number", .integer32, default: 0)
      if (2...4).contains(version) { Attribute("phone", .string).optional() }
      Attribute("registrationDate", .date)
      if version >= 6 { Attribute("searchName", .string) }
      if version >= 5 {
        Relationship("contact", toOne: "Contact", inverse: "customer", deleteRule: .cascade).optional()
      }
      Relationship("orders", toMany: "Order", inverse: "customer", deleteRule: .deny)
      UniquenessConstraint("number")
    }
  }

  private static func order(_ version: Int) -> Entity {
    Entity("Order", syncable: .withProperties) {
      if version >= 2 { Attribute("currency", .string, default: "EUR") }
      Attribute("date", .date)
      Attribute("isPaid", .boolean, default: false)
      Attribute("note", .string).optional()
      if version >= 4 {
        Attribute("number", .integer64, default: 0)
      } else {
        Attribute("number", .integer32, default: 0)
      }
      if version >= 6 { Attribute("rowCount", .integer32, default: 0) }
      Attribute("shippingDate", .date).optional()
      Attribute("total", .decimal, default: 0)
      Relationship("customer", toOne: "Customer", inverse: "orders").minCount(1)
      if version >= 4 { Relationship("payments", toMany: "Payment", inverse: "order", deleteRule: .cascade) }
      Relationship("rows", toMany: "RowOfOrder", inverse: "order", deleteRule: .cascade)
      FetchIndex("byDate", .descending("date"))
    }
  }

  private static func row(_ version: Int) -> Entity {
    Entity("RowOfOrder", syncable: .withProperties) {
      if version >= 2 { Attribute("discount", .double, default: 0) }
      Attribute("position", .integer16, default: 0)
      if version >= 3 { Attribute("quantity", .double, default: 1) } else { Attribute("quantity", .double).optional() }
      Attribute("sum", .decimal, default: 0)
      Relationship("order", toOne: "Order", inverse: "rows").minCount(1)
      Relationship("service", toOne: "Service", inverse: "rows").minCount(1)
    }
  }

  private static func service(_ version: Int) -> Entity {
    Entity("Service", syncable: .withProperties) {
      Attribute("code", .string)
      Attribute("isOffered", .boolean, default: true)
      if version >= 3 {
        Attribute("minutes", .integer32, default: 0).optional()
      } else {
        Attribute("minutes", .integer16, default: 0).optional()
      }
      Attribute("price", .decimal, default: 0)
      Attribute("title", .string)
      Relationship("rows", toMany: "RowOfOrder", inverse: "service", deleteRule: .deny)
    }
  }
}
