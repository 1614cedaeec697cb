import Testing

@Suite("Conditions are those of NSPredicate")
struct ConditionTests {
  @Test(
    "nil equals only nil, and is not less and not more",
    arguments: [
      ("score == nil", "3"), ("score != nil", "1 2"), ("score != 7", "2 3"), ("score == 7", "1"),
      ("nil == nil", "1 2 3"), ("score < 100", "1 2"), ("NOT score < 100", "3"), ("score >= nil", ""),
      ("NOT (score == 7)", "2 3"), ("score == 7 OR name == nil", "1 3"), ("score BETWEEN {-7, 0}", "2"),
      ("NOT score BETWEEN {-7, 0}", "1 3"), ("score IN {7, nil}", "1"), ("NOT score IN {7, nil}", "2 3"),
      ("name BEGINSWITH nil", ""), ("name CONTAINS 'x'", ""), ("NOT name LIKE '*'", "3"), ("name MATCHES nil", ""),
    ])
  func missing(text: String, keys: String) throws {
    #expect(try ExpressionStore().keys(where: text) == keys)
  }

  @Test(
    "types are compared as their values",
    arguments: [
      ("isVip == YES", "1"), ("isVip == 1", "1"), ("isVip != YES", "2 3"), ("balance == 7", "1"),
      ("balance > 2.2", "1 2"),
      ("since < CAST('2001-01-02', 'NSDate')", "2"), ("photo != nil", "1"), ("photo == CAST('qrs=', 'NSData')", "1"),
      ("token == CAST('00010203-0405-0607-0809-0A0B0C0D0E0F', 'NSUUID')", "1"),
      ("home == CAST('https://a.example', 'NSURL')", "1"), ("(score > 0) == YES", "1"), ("SELF == $source", "1 2 3"),
      ("$source.score > 0", "1"), ("SELF.score > 0", "1"), ("address.street == 'Rue 1'", "1"),
      ("points == 9223372036854775807", "1"),
    ])
  func types(text: String, keys: String) throws {
    #expect(try ExpressionStore().keys(where: text) == keys)
  }

  @Test(
    "texts are equal unit by unit, and ordered as NSString orders them",
    arguments: [
      ("name == 'émile'", ""), ("name ==[c] 'émile'", "1"), ("name ==[d] 'Emile'", "1"), ("name ==[cd] 'eMILE'", "1"),
      ("name < 'F'", "1"), ("name < 'Z'", "1"), ("name <[c] 'ZZ'", "1 2"), ("name IN {'zoe', 'x'}", "2"),
      ("name IN[cd] {'ZOE', 'emile'}", "1 2"), ("'oe' IN name", "2"), ("name BEGINSWITH 'É'", "1"),
      ("name BEGINSWITH 'E'", ""), ("name BEGINSWITH[cd] 'e'", "1"), ("name ENDSWITH 'oe'", "2"),
      ("name CONTAINS[c] 'MIL'", "1"), ("name BEGINSWITH ''", "1 2"),
      ("TERNARY(name ==[c] 'ZOE', 'B', 'B') == 'b'", ""), ("TERNARY(name ==[c] 'ZOE', 'B', 'B') IN {'b'}", ""),
    ])
  func texts(text: String, keys: String) throws {
    #expect(try ExpressionStore().keys(where: text) == keys)
  }

  @Test(
    "texts beyond ASCII",
    arguments: [
      ("'ä' == 'a\u{308}'", false), ("'ä' < 'a\u{308}'", false), ("'ä' <= 'a\u{308}'", true),
      ("'ä' ==[c] 'A\u{308}'", true), ("'é' < 'f'", true), ("'É' BEGINSWITH[c] 'é'", true),
      ("'a\u{308}b' CONTAINS 'a'", true), ("'äb' CONTAINS 'a'", false), ("'äb' CONTAINS[d] 'a'", true),
      ("length:('😀') == 2", true), ("'😀' LIKE '?'", true), ("'😀' MATCHES '.'", true), ("'a😀b' LIKE 'a*b'", true),
      ("'a\nb' LIKE 'a?b'", true), ("'a\nb' MATCHES 'a.b'", false), ("'a\nb' MATCHES '(?s)a.b'", true),
      ("'a\n' MATCHES 'a'", false), ("'' LIKE ''", true), ("'' MATCHES ''", true), ("'' CONTAINS ''", true),
      ("canonical:('ÀÉ') == 'ae'", true), ("lowercase:('ÀÉ') == 'àé'", true),
    ])
  func unicode(text: String, holds: Bool) throws {
    #expect(try ExpressionStore().keys(where: text) == (holds ? "1 2 3" : ""))
  }

  @Test(
    "LIKE and MATCHES match the complete text",
    arguments: [
      ("name LIKE 'z*'", "2"), ("name LIKE 'z'", ""), ("name LIKE '?oe'", "2"), ("name LIKE[cd] 'e*L?'", "1"),
      ("name LIKE 'z\\\\*'", ""), ("name LIKE '*'", "1 2"), ("name MATCHES 'z'", ""), ("name MATCHES 'z.*'", "2"),
      ("name MATCHES '[a-h].*'", ""), ("name MATCHES[cd] '[a-h].*'", "1"), ("name MATCHES 'x|zo|zoe'", "2"),
      ("name MATCHES '(?x) zoe # a comment\n'", "2"),
    ])
  func patterns(text: String, keys: String) throws {
    #expect(try ExpressionStore().keys(where: text) == keys)
  }

  @Test(
    "ways over relationships",
    arguments: [
      ("customer.name == 'Émile'", "Order", "1 2"), ("customer == nil", "Order", "3"),
      ("customer.orders.@count > 1", "Order", "1 2"), ("order.customer.score == 7", "Item", "1 2"),
      ("ANY orders.number > 15", "Customer", "1"), ("ALL orders.number > 15", "Customer", "2 3"),
      ("ALL orders.number >= 10", "Customer", "1 2 3"), ("NONE orders.number > 15", "Customer", "2 3"),
      ("ANY favourites.title LIKE 'p*'", "Customer", "1 2"),
      ("orders.number CONTAINS 10", "Customer", "1"), ("customer.orders CONTAINS SELF", "Order", "1 2"),
      ("10 IN orders.number", "Customer", "1"), ("SELF IN customer.orders", "Order", "1 2"),
      ("orders.@count == 0 AND name != nil", "Customer", "2"),
      ("SUBQUERY(orders, $o, $o.number > 15).@count == 1", "Customer", "1"),
      ("SUBQUERY(orders, $o, $o.number > score).@count == 2", "Customer", "1"),
      ("SUBQUERY(items, $i, $i.price > 1 AND $i.order.customer.score == 7).@count > 0", "Order", "1"),
      ("SUBQUERY(orders, $o, SUBQUERY($o.items, $i, $i.title == 'pen').@count > 0).@count == 2", "Customer", "1"),
      ("SUBQUERY(orders, $o, SUBQUERY($o.items, $i, $i.order == $o).@count > 1).@count == 1", "Customer", "1"),
      ("SUBQUERY(favourites, $i, $i.price > 2).@count == 0", "Customer", "2 3"),
    ])
  func ways(text: String, entity: String, keys: String) throws {
    #expect(try ExpressionStore().keys(where: text, of: entity) == keys)
  }

  @Test(
    "a quantifier looks at every member, also at one that has no value at the end of the path",
    arguments: [
      ("ANY orders.note == nil", "1"), ("NONE orders.note == nil", "2 3"), ("ALL orders.note != nil", "2 3"),
      ("ALL orders.note == 'first'", "2 3"), ("ANY orders.note != 'first'", "1"),
      ("ANY favourites.order == nil", "1 2"), ("ANY favourites.order.note == nil", "1 2"),
      ("ALL favourites.order.note == nil", "2 3"), ("ANY favourites.order.customer.name == 'Émile'", "1"),
      ("NONE favourites.order.customer.name == nil", "3"), ("ANY favourites.order.items != nil", "1"),
      ("ANY favourites.order.items == nil", ""), ("favourites.order.@count == 1", "1"),
      ("ANY favourites.@unionOfObjects.price == nil", ""), ("ALL {score, 7} == 7", "1"),
    ])
  func missingMembers(text: String, keys: String) throws {
    let store = try ExpressionStore()
    try store.store.execute("UPDATE ZITEM SET ZORDER = NULL, Z_FOK_ORDER = NULL WHERE Z_PK = 3")
    #expect(try store.keys(where: text) == keys)
  }

  @Test("the first part decides before a part that could fail runs")
  func order() throws {
    #expect(try ExpressionStore().keys(where: "number != 0 AND 100 / number > 5", of: "Order") == "1")
    #expect(try ExpressionStore().keys(where: "number == 0 OR 100 / number > 5", of: "Order") == "1 3")
  }
}
