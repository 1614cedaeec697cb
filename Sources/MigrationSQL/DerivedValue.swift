package import ModelDescription
import PersistentStores

/// The value of a derived attribute as SQL over the tables of its model.
package struct DerivedValue {
  /// The value for a row of the entity's table.
  package let expression: SQLStatement

  /// Finds the SQL; nil for a filtered derivation or an unsupported expression.
  package init?(_ derivation: Derivation, of entity: String, table: String, in model: StoreModel) {
    guard derivation.filterPredicate == nil, let form = Form(derivation.hashedExpression) else { return nil }
    let reader = Reader(entity: entity, table: table, model: model)
    let found: SQLStatement? =
      switch form {
      case .now: "CAST(strftime('%s', 'now') AS INTEGER) - 978307200"
      case .value(let keys): reader.value(keys)
      case .text(let function, let keys): reader.value(keys).map { "\(SQLStatement(verbatim: function))(\($0))" }
      case .collection(let function, let keys): reader.aggregate(function, keys)
      }
    guard let found else { return nil }
    expression = found
  }

  /// The forms of derivation expressions, collection operators already being functions.
  private enum Form {
    case now
    case value([String])
    case text(function: String, [String])
    case collection(String, [String])

    private static let collections = [
      "count": "COUNT", "sum": "SUM", "min": "MIN", "max": "MAX", "average": "AVG", "avg": "AVG",
    ]
    private static let texts = [
      "canonical": "modelctl_canonical", "uppercase": "modelctl_uppercase", "lowercase": "modelctl_lowercase",
    ]

    init?(_ expression: String) {
      if expression == "now()" {
        self = .now
        return
      }
      guard let colon = expression.firstIndex(of: ":") else {
        self = .value(Self.keys(expression[...]))
        return
      }
      let argument = expression[expression.index(after: colon)...].drop { $0 == "(" }.prefix { $0 != ")" }
      guard let form = Self.function(String(expression[..<colon]), Self.keys(argument)) else { return nil }
      self = form
    }

    private static func keys(_ path: Substring) -> [String] { path.split(separator: ".").map(String.init) }

    private static func function(_ name: String, _ keys: [String]) -> Form? {
      if let function = collections[name] { return .collection(function, keys) }
      return texts[name].map { .text(function: $0, keys) }
    }
  }

  /// Finds columns along key paths.
  private struct Reader {
    let entity: String
    let table: String
    let model: StoreModel

    /// Returns an attribute of the row, or of the linked row of a to-one relationship.
    func value(_ keys: [String]) -> SQLStatement? {
      guard let first = keys.first else { return nil }
      if keys.count == 1 { return column(first, of: entity).map { "\(name: table).\(name: $0.name)" } }
      guard keys.count == 2, let last = keys.last, let address = model.address(ofRelationship: first, in: entity),
        let target = model.relationship(address)?.destinationEntityName, let link = model.place(.toOne(address)),
        let place = model.table(ofEntity: target), let value = column(last, of: target)
      else { return nil }
      return """
        (SELECT other.\(name: value.name) FROM \(name: place.name) AS other \
        WHERE other.\(name: "Z_PK") = \(name: table).\(name: link.column.name))
        """
    }

    /// Returns an aggregate over the linked rows of a to-many relationship.
    func aggregate(_ function: String, _ keys: [String]) -> SQLStatement? {
      guard let first = keys.first, keys.count <= 2, let address = model.address(ofRelationship: first, in: entity),
        let target = model.relationship(address)?.destinationEntityName, let other = model.table(ofEntity: target),
        let storage = model.linkStorage(of: address)
      else { return nil }
      var value: SQLStatement = "*"
      if keys.count == 2 {
        guard let column = column(keys[1], of: target) else { return nil }
        value = "other.\(name: column.name)"
      } else if function != "COUNT" {
        return nil
      }
      let row: SQLStatement = "\(name: table).\(name: "Z_PK")"
      let call: SQLStatement = "SELECT \(SQLStatement(verbatim: function))(\(value)) FROM"
      switch storage {
      case .foreignColumn(_, let column, _):
        return "(\(call) \(name: other.name) AS other WHERE other.\(name: column) = \(row))"
      case .join(let join, let near, let far, _, _):
        return """
          (\(call) \(name: join) AS link JOIN \(name: other.name) AS other \
          ON other.\(name: "Z_PK") = link.\(name: far) WHERE link.\(name: near) = \(row))
          """
      case .column: return nil
      }
    }

    private func column(_ attribute: String, of entity: String) -> SQLColumn? {
      model.address(ofAttribute: attribute, in: entity).flatMap { model.place(.attribute($0)) }?.column
    }
  }
}
