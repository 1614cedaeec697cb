import MappingModels
import ModelDescription
import Testing

@Suite("Types of expressions")
struct ExpressionTypingTests {
  private static func attribute(_ name: String, _ type: AttributeType, transient: Bool = false) -> AttributeDescription
  {
    AttributeDescription(name: name, type: type, isOptional: true, isTransient: transient)
  }

  private static func relationship(
    _ name: String, _ destination: String, many: Bool = false, ordered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, isOptional: true, maxCount: many ? 0 : 1, isOrdered: ordered)
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Order",
      attributes: [
        attribute("number", .integer64), attribute("lines", .integer16), attribute("total", .decimal),
        attribute("rate", .double), attribute("note", .string), attribute("placed", .date), attribute("paid", .boolean),
        attribute("token", .uuid), attribute("link", .uri), attribute("scan", .binary),
        attribute("shown", .string, transient: true),
        AttributeDescription(
          name: "address", type: .composite, isOptional: true, elements: [attribute("city", .string)]),
      ],
      relationships: [
        relationship("customer", "Customer"), relationship("items", "Item", many: true, ordered: true),
        relationship("tags", "Tag", many: true),
      ]),
    EntityDescription(
      name: "Customer", attributes: [attribute("name", .string)],
      relationships: [relationship("orders", "Order", many: true)]),
    EntityDescription(
      name: "Item", attributes: [attribute("price", .double), attribute("title", .string)],
      relationships: [relationship("order", "Order")]),
    EntityDescription(name: "Tag", attributes: [attribute("name", .string)]),
  ])

  private static let mapping = MappingModel(entityMappings: [
    EntityMapping(name: "ItemToLine", kind: .copy, source: "Item", destination: "Item"),
    EntityMapping(name: "TagToTag", kind: .copy, source: "Tag", destination: "Tag"),
  ])

  private func typing(_ role: ExpressionTyping.Role) throws -> ExpressionTyping {
    let hierarchy = try EntityHierarchy(Self.model)
    return ExpressionTyping(
      source: hierarchy, entity: "Order", role: role, destination: hierarchy, mapping: Self.mapping)
  }

  @Test(
    "the types of expressions",
    arguments: [
      ("$source", ExpressionType.object(entity: "Order")),
      ("$source.note", .value(.string)),
      ("$source.address.city", .value(.string)),
      ("$source.customer", .object(entity: "Customer")),
      ("$source.customer.name", .value(.string)),
      ("$source.items", .objects(entity: "Item", isOrdered: true)),
      ("$source.tags", .objects(entity: "Tag", isOrdered: false)),
      ("$source.items.price", .values(.double)),
      ("$source.items.order", .objects(entity: "Order", isOrdered: true)),
      ("$source.customer.orders.items", .nested(entity: "Item")),
      ("$source.customer.orders.@distinctUnionOfSets.items", .objects(entity: "Item", isOrdered: false)),
      ("$source.items.@count", .value(.integer64)),
      ("$source.items.@sum.price", .value(.double)),
      ("$source.customer.orders.@sum.number", .value(.decimal)),
      ("$source.customer.orders.@max.placed", .value(.date)),
      ("$source.customer.orders.@sum.items.@count", .value(.decimal)),
      ("$source.tags.@distinctUnionOfObjects.name.@count", .value(.integer64)),
      ("$source.note.length", .value(.integer64)),
      ("$source.scan.length", .value(.integer64)),
      ("$source.placed.timeIntervalSince1970", .value(.double)),
      ("$source.number / 2", .value(.integer64)),
      ("$source.number / 2.5", .value(.double)),
      ("$source.total * 2.5", .value(.decimal)),
      ("$source.number ** 2", .value(.double)),
      ("$source.note + '!'", .value(.string)),
      ("$source.paid + 1", .value(.integer64)),
      ("abs:($source.lines)", .value(.integer16)),
      ("floor:($source.rate)", .value(.double)),
      ("max:({1, 2.5})", .value(.double)),
      ("now()", .value(.date)),
      ("nil", .null),
      ("$source.number == 1", .truth),
      ("TERNARY($source.paid == YES, $source.note, nil)", .value(.string)),
      ("TERNARY($source.paid == YES, 1, 2.5)", .value(.double)),
      ("CAST($source.note, 'NSDate')", .value(.date)),
      ("CAST($source.number, 'NSNumber')", .value(.integer64)),
      ("FUNCTION($entityPolicy, 'a:b:', $source, $source.items)", .unknown),
      (
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'ItemToLine', $source.items)",
        .destinationObjects(entity: "Item")
      ),
      (
        "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'items', $source.items)",
        .destinationObjects(entity: nil)
      ),
    ])
  func types(text: String, type: ExpressionType) throws {
    #expect(try typing(.relationship).type(of: ValueExpression(parsing: text)) == type)
  }

  @Test(
    "expressions without meaning are refused, with the part and the advice",
    arguments: [
      ("$source.notes", "$source.notes: Order has no property “notes”; nearest: note"),
      ("$source.customer.nme", "$source.customer.nme: Customer has no property “nme”; nearest: name"),
      ("$source.number.length", "$source.number.length: a value of type Integer 64 has no property “length”"),
      ("$source.shown", "$source.shown: Order.shown is transient: stores do not keep its value"),
      ("$source.address", "$source.address: address is a composite attribute; name one of its elements: city"),
      (
        "$source.items.price + 1",
        "$source.items.price: one value is needed, and this gives several values of type Double; use @count, @sum.…, @min.…, @max.… or @avg.…"
      ),
      (
        "$source.customer.orders.items.@count",
        "$source.customer.orders.items.@count: items gives a collection for each of several objects; write @distinctUnionOfSets.items"
      ),
      (
        "$source.customer.@count",
        "$source.customer.@count: @count needs a collection, and follows an object of Customer"
      ),
      (
        "$source.items.@median.price",
        "$source.items.@median.price: unknown collection operator “@median”"
      ),
      (
        "$source.items.@sum.title",
        "$source.items.@sum.title: @sum takes numbers, or for a minimum texts or dates, not a value of type String"
      ),
      (
        "uppercase:($source.number)",
        "$source.number: uppercase: takes a text, not a value of type Integer 64"
      ),
      ("$source.note + 1", "$source.note: add:to: takes numbers, not a value of type String"),
      (
        "modulus:by:($source.rate, 2)",
        "$source.rate: modulus:by: takes whole numbers, not a value of type Double"
      ),
      (
        "random()",
        "random(): a random number differs in every run; compute the value from $source, or write a policy"
      ),
      ("$sauce.note", "$sauce: unknown variable $sauce; nearest: $source"),
      (
        "$destination.note",
        "$destination: $destination does not exist, because modelctl creates rows as sets; compute the value from $source"
      ),
      ("$manager", "$manager: $manager is not a value; send it a message with FUNCTION(…)"),
      (
        "FUNCTION($manager, 'destinationContext')",
        "FUNCTION($manager, \"destinationContext\"): $manager has no method “destinationContext”"
      ),
      (
        "FUNCTION('a', 'length')",
        "FUNCTION(\"a\", \"length\"): FUNCTION(…) sends messages only to $manager and $entityPolicy"
      ),
      (
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'ItemToLime', $source.items)",
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"ItemToLime\", $source.items): the mapping model has no entity mapping “ItemToLime”; nearest: ItemToLine"
      ),
      (
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'TagToTag', $source.items)",
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"TagToTag\", $source.items): the mapping TagToTag is for Tag, not for Item"
      ),
      (
        "$source.note == 1",
        "$source.note == 1: a value of type String and a value of type Integer 64 cannot be compared by =="
      ),
      (
        "$source.placed < 1",
        "$source.placed < 1: a value of type Date and a value of type Integer 64 cannot be compared by <"
      ),
      (
        "$source.token < $source.token",
        "$source.token < $source.token: a value of type UUID and a value of type UUID cannot be compared by <"
      ),
      (
        "$source.number BEGINSWITH '1'",
        "$source.number BEGINSWITH \"1\": a value of type Integer 64 and a value of type String cannot be compared by BEGINSWITH"
      ),
      (
        "$source.customer == $source",
        "$source.customer == $source: an object of Customer and an object of Order cannot be compared by =="
      ),
      ("$source.note MATCHES '('", "\"(\": this is not a valid regular expression: ICU does not read it"),
      (
        "NOT TERNARY($source.number == 1, 2, 3)",
        "TERNARY($source.number == 1, 2, 3): a condition is needed, and this is a value of type Integer 64; compare it, such as … == YES or … != nil"
      ),
      (
        "TERNARY($source.number == 1, 2, 'a')",
        "TERNARY($source.number == 1, 2, \"a\"): a value of type Integer 64 and a value of type String are mixed; give both the same type"
      ),
      (
        "CAST($source.note, 'NSDta')",
        "CAST($source.note, \"NSDta\"): unknown type “NSDta” in a cast; nearest: NSData, NSDate"
      ),
      (
        "CAST($source.items, 'NSString')",
        "$source.items: one value is needed, and this gives several objects of Item; use @count, @sum.…, @min.…, @max.… or @avg.…"
      ),
      (
        "CAST($source.scan, 'NSDate')",
        "CAST($source.scan, \"NSDate\"): a value of type Binary cannot be cast to NSDate"
      ),
    ])
  func meaningless(text: String, message: String) throws {
    let found = try self.message { try $0.type(of: ValueExpression(parsing: text)) }
    #expect(found == message)
  }

  @Test(
    "values that cannot be assigned to the attribute are refused",
    arguments: [
      (
        "$source.note", AttributeType.date,
        "$source.note: a value of type String cannot be assigned to value, an attribute of type Date; write CAST(…, \"NSDate\")"
      ),
      (
        "$source.note", .integer16,
        "$source.note: a value of type String cannot be assigned to value, an attribute of type Integer 16; write CAST(…, \"NSNumber\")"
      ),
      (
        "'https://a.example'", .uri,
        "\"https://a.example\": a value of type String cannot be assigned to value, an attribute of type URI; write CAST(…, \"NSURL\")"
      ),
      (
        "$source.number", .string,
        "$source.number: a value of type Integer 64 cannot be assigned to value, an attribute of type String; write CAST(…, \"NSString\")"
      ),
      (
        "$source.customer", .string,
        "$source.customer: an object of Customer cannot be assigned to value, an attribute of type String; write CAST(…, \"NSString\")"
      ),
      ("1e9", .integer16, "1000000000.0: the number does not fit Integer 16, the type of value"),
      ("70000", .integer16, "70000: the number does not fit Integer 16, the type of value"),
      (
        "stable", .string,
        "stable: the value of an attribute starts at $source; write $source.… for a property, or \"…\" for a text"
      ),
      (
        "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'items', $source.items)",
        .string,
        "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"items\", $source.items): only relationships can have objects of the destination as values"
      ),
    ])
  func unassignable(text: String, type: AttributeType, message: String) throws {
    let attribute = Self.attribute("value", type)
    let found = try self.message(.attribute) { try $0.check(ValueExpression(parsing: text), assignedTo: attribute) }
    #expect(found == message)
  }

  @Test("numbers and Booleans become one another", arguments: [AttributeType.boolean, .integer16, .decimal, .float])
  func numbers(type: AttributeType) throws {
    for text in ["1", "2.5", "YES", "$source.total", "$source.paid", "$source.number == 1", "nil"] {
      try typing(.attribute).check(ValueExpression(parsing: text), assignedTo: Self.attribute("value", type))
    }
  }

  @Test("a relationship refers to objects that a mapping made")
  func relationships() throws {
    let found = try self.message {
      try $0.check(
        ValueExpression(parsing: "$source.items"), assignedTo: Self.relationship("lines", "Item", many: true))
    }
    #expect(
      found
        == "$source.items: several objects of Item cannot be assigned to the relationship lines; look up its objects by a mapping's name"
    )
    let lookup = try ValueExpression(
      parsing:
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'ItemToLine', $source.items)")
    try typing(.relationship).check(lookup, assignedTo: Self.relationship("lines", "Item", many: true))
    #expect(throws: ExpressionTypeError.self) {
      try typing(.relationship).check(lookup, assignedTo: Self.relationship("tags", "Tag", many: true))
    }
  }

  @Test("in the choice of objects SELF and bare keys are the source object")
  func filters() throws {
    let typing = try typing(.filter)
    for text in ["number == 1", "SELF.number == 1", "$source.number == 1", "SELF != nil", "ANY items.price > 1"] {
      try typing.checkCondition(ValueExpression(parsing: text))
    }
    let found = try message(.filter) { try $0.checkCondition(ValueExpression(parsing: "paid")) }
    #expect(
      found
        == "paid: a condition is needed, and this is a value of type Boolean; compare it, such as … == YES or … != nil")
  }

  @Test("a function that only another reader of expressions lets through")
  func unknownFunction() throws {
    let expression = ValueExpression.function("sqroot:", [.constant(.integer(4))])
    let found = try message { try $0.type(of: expression) }
    #expect(found == "#\"sqroot:\"(4): unknown function “sqroot:”; nearest: sqrt:")
  }

  @Test("a text with NUL, as in an archived mapping model, is refused")
  func textWithNUL() throws {
    let text = ValueExpression.constant(.string("a\0b"))
    let attribute = Self.attribute("value", .string)
    let found = [
      try message { try $0.check(text, assignedTo: attribute) },
      try message { try $0.type(of: .function("uppercase:", [text])) },
    ]
    for message in found {
      #expect(message.hasSuffix(": the text contains the character NUL, and SQLite ignores the rest"))
    }
  }

  @Test("an expression thousands deep")
  func depth() throws {
    var expression = ValueExpression.keyPath(["rate"], of: .variable("source"))
    for _ in 0..<5_000 { expression = .function("abs:", [expression]) }
    let deep = expression
    let found = try message { try $0.type(of: deep) }
    #expect(
      found == "an expression: expressions are nested more than 128 levels deep; split the expression")
  }

  private func message<Value>(
    _ role: ExpressionTyping.Role = .attribute, _ body: (ExpressionTyping) throws -> Value
  ) throws -> String {
    do {
      return try "no error: \(body(typing(role)))"
    } catch let error as ExpressionTypeError {
      return error.description
    }
  }
}
