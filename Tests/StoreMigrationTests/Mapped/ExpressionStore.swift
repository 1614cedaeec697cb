import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreMigration

/// A small store of customers, orders and items, and what expressions written as text give over its rows.
final class ExpressionStore {
  static let model = ManagedObjectModel(entities: [
    .entity(
      "Customer",
      [
        .optional("name"), .optional("since", .date), .optional("isVip", .boolean), .optional("balance", .decimal),
        .optional("token", .uuid), .optional("home", .uri), external("photo"), .optional("thumb", .binary),
        .optional("score", .integer16), .optional("points", .integer64), .optional("rate", .double),
        AttributeDescription(
          name: "address", type: .composite, isOptional: true, elements: [.optional("street"), .optional("zip")]),
        AttributeDescription(name: "nickname", type: .string, isOptional: true, isTransient: true),
      ],
      [
        .toMany("orders", "Order", inverse: "customer"),
        .toMany("favourites", "Item", inverse: "fans", ordered: true),
        .toMany("friends", "Customer", inverse: "friends"),
      ]),
    .entity(
      "Item", [.optional("title"), .optional("price", .double), .optional("quantity", .integer32)],
      [.toOne("order", "Order", inverse: "items"), .toMany("fans", "Customer", inverse: "favourites")]),
    .entity("Gift", under: "Item", [.optional("wrap")]),
    .entity(
      "Order", [.optional("number", .integer64), .optional("note")],
      [
        .toOne("customer", "Customer", inverse: "orders"),
        .toMany("items", "Item", inverse: "order", ordered: true),
      ]),
  ])

  static func external(_ name: String) -> AttributeDescription {
    var attribute = AttributeDescription.optional(name, .binary)
    attribute.allowsExternalBinaryDataStorage = true
    return attribute
  }

  let store: VersionedStore
  let source: StoreModel

  /// Three customers, the last with only a key; three orders, the last without a customer; four items, one of them a
  /// gift.
  init() throws {
    store = try VersionedStore([Self.model])
    let hierarchy = try EntityHierarchy(Self.model)
    source = StoreModel(hierarchy: hierarchy, layout: SQLStoreLayout(of: hierarchy))
    try store.execute(
      """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSINCE, ZISVIP, ZBALANCE, ZTOKEN, ZHOME, ZPHOTO, ZTHUMB, ZSCORE,
        ZPOINTS, ZRATE, ZSTREET) VALUES
        (1, 1, 1, 'Émile', 86400.5, 1, 7, x'000102030405060708090a0b0c0d0e0f', 'https://a.example', x'01aabb', x'cc', 7,
          9223372036854775807, 0.5, 'Rue 1'),
        (2, 1, 1, 'zoe', 0, 0, 2.25, NULL, NULL, NULL, NULL, -7, 40000, 2.5, NULL),
        (3, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZNOTE, ZCUSTOMER) VALUES
        (1, 4, 1, 10, 'first', 1), (2, 4, 1, 20, NULL, 1), (3, 4, 1, 0, '12', NULL);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPRICE, ZQUANTITY, ZORDER, Z_FOK_ORDER) VALUES
        (1, 2, 1, 'pen', 1.5, 2, 1, 2000), (2, 2, 1, 'ink', 2.5, NULL, 1, 1000), (3, 3, 1, 'pen', NULL, 4, 2, 1000),
        (4, 2, 1, NULL, 1.5, 1, NULL, NULL);
      """)
    let favourites = try store.rows(
      "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__%' ESCAPE '\\' AND sql LIKE '%PRIMARY KEY (%'")
    for table in favourites {
      let columns = try store.rows("SELECT name FROM pragma_table_info('\(table)')")
      if columns.contains("REFLEXIVE") {
        try store.execute("INSERT INTO \(table) VALUES (1, 2), (2, 1)")
      } else {
        try store.execute(
          "INSERT INTO \(table) (Z_1FANS, Z_2FAVOURITES, Z_FOK_2FAVOURITES) VALUES (1, 3, 20), (1, 1, 30), (1, 2, 10), (2, 3, 5)"
        )
      }
    }
  }

  func compiler(
    _ entity: String, policy: ExpressionPolicy? = nil, table: @escaping (String) -> String = { $0 }
  ) -> ExpressionCompiler {
    ExpressionCompiler(source: source, entity: entity, row: "row", table: table, policy: policy, now: 99.5)
  }

  /// The SQL of a value.
  func sql(
    _ text: String, as type: AttributeType, of entity: String, policy: ExpressionPolicy? = nil
  ) throws -> String {
    try compiler(entity, policy: policy).value(ValueExpression(parsing: text), for: .optional("value", type)).rendered
  }

  /// The value of every row of an entity, in the order of keys.
  func values(_ text: String, as type: AttributeType, of entity: String = "Customer") throws -> String {
    let sql = try compiler(entity).value(ValueExpression(parsing: text), for: .optional("value", type))
    return try column(sql, of: entity)
  }

  /// The keys of the rows that a condition chooses.
  func keys(where text: String, of entity: String = "Customer") throws -> String {
    let condition = try compiler(entity).condition(ValueExpression(parsing: text))
    let chosen = try column("CASE \(condition) WHEN 1 THEN row.\(name: "Z_PK") WHEN 0 THEN 0 END", of: entity)
    return chosen.split(separator: " ").filter { $0 != "0" }.joined(separator: " ")
  }

  /// The links as `owner>target(number)@position`.
  func links(_ text: String, of entity: String) throws -> String {
    let query = try compiler(entity).links(ValueExpression(parsing: text))
    return try rows(
      """
      SELECT owner || '>' || target || '(' || number || ')' || COALESCE('@' || position, '') FROM (\(query)) \
      ORDER BY owner, position, target
      """)
  }

  /// A scalar for every row of an entity.
  func column(_ sql: SQLStatement, of entity: String) throws -> String {
    let table = source.layout.table(ofEntity: entity)?.name ?? ""
    let number = Int64(source.number(of: entity) ?? 0)
    return try rows(
      """
      SELECT \(sql) FROM \(name: table) AS row WHERE row.\(name: "Z_ENT") = \(.integer(number)) \
      ORDER BY row.\(name: "Z_PK")
      """)
  }

  /// The first column of a query, NULL as `-`, data as hexadecimal digits.
  func rows(_ query: SQLStatement) throws -> String {
    let reader = try StoreReader(path: store.path)
    defer { reader.close() }
    return try reader.read { database in
      ConversionFunctions(store: store.path).register(in: database)
      ExpressionFunctions.register(in: database)
      let arguments = StatementArguments(query.arguments.map(\.bound))
      return try DatabaseValue.fetchAll(database, sql: query.text, arguments: arguments).map { value in
        switch value.storage {
        case .null: "-"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): "x" + data.map { String(format: "%02x", $0) }.joined()
        }
      }.joined(separator: " ")
    }
  }
}

extension SQLValue {
  fileprivate var bound: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}
