import MappingModels
import ModelDescription
import PersistentStores

struct PlainRowExpressions: RowExpressions {
  let source: StoreModel
  let entity: String

  struct Unsupported: Error, CustomStringConvertible {
    var description = "this expression is not understood"
  }

  func value(_ expression: ValueExpression, for attribute: AttributeDescription) throws -> SQLStatement {
    switch expression {
    case .null: return "NULL"
    case .constant(let value): return "\(SQLValue(value))"
    case .keyPath(let keys, of: .variable("source")), .keyPath(let keys, of: .selfObject):
      return try path(keys[...], of: entity, row: "source", depth: 0)
    default: throw Unsupported()
    }
  }

  private func path(_ keys: ArraySlice<String>, of entity: String, row: String, depth: Int) throws -> SQLStatement {
    guard let first = keys.first else { throw Unsupported() }
    if let address = source.address(ofAttribute: keys.joined(separator: "."), in: entity),
      let place = source.place(.attribute(address))
    {
      return "\(name: row).\(name: place.column.name)"
    }
    guard let address = source.address(ofRelationship: first, in: entity), let link = source.place(.toOne(address)),
      let target = source.relationship(address)?.destinationEntityName, let table = source.table(ofEntity: target)
    else { throw Unsupported() }
    let next = "hop\(depth)"
    return """
      (SELECT \(try path(keys.dropFirst(), of: target, row: next, depth: depth + 1)) FROM \(name: table.name) AS \(name: next) \
      WHERE \(name: next).\(name: "Z_PK") = \(name: row).\(name: link.column.name))
      """
  }

  func condition(_ filter: ValueExpression) throws -> SQLStatement {
    guard case .comparison(let comparison) = filter else { throw Unsupported() }
    let none = AttributeDescription(name: "", type: .undefined)
    let left = try value(comparison.left, for: none)
    let right = try value(comparison.right, for: none)
    switch comparison.operator {
    case .equal: return "\(left) IS \(right)"
    case .notEqual: return "\(left) IS NOT \(right)"
    case .less: return "\(left) < \(right)"
    case .greater: return "\(left) > \(right)"
    default: throw Unsupported()
    }
  }

  func sql(_ text: String, for attribute: AttributeDescription) throws -> SQLStatement { throw Unsupported() }
  func links(_ objects: ValueExpression) throws -> SQLStatement { throw Unsupported() }
}
