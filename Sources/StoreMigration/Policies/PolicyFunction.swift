import GRDB
import MappingModels
import MigrationSQL
public import ModelDescription

/// The SQL function behind `FUNCTION($entityPolicy, …)`, as `ExpressionPolicy` describes it.
///
/// SQLite calls it only while the connection is in use, on the thread that uses it.
final class PolicyFunction: @unchecked Sendable {
  private weak var manager: MigrationManager?

  init(_ manager: MigrationManager) { self.manager = manager }

  func register(in database: Database) {
    database.add(function: DatabaseFunction(ExpressionPolicy.functionName) { try self.call($0) })
  }

  private func call(_ values: [DatabaseValue]) throws -> (any DatabaseValueConvertible)? {
    guard let manager, let policy = manager.current?.policy, values.count >= 4,
      let selector = String.fromDatabaseValue(values[1]), let kinds = String.fromDatabaseValue(values[3])
    else { return nil }
    do {
      let arguments = zip(kinds.split(separator: ","), values.dropFirst(4)).map { Self.argument(String($0), $1) }
      guard let value = try policy.value(forSelector: selector, arguments: arguments, manager: manager) else {
        return nil
      }
      if let name = String.fromDatabaseValue(values[2]), !name.isEmpty {
        let type = AttributeType(name: name)
        guard value.suits(type) || type == .undefined else {
          throw PolicyError.wrongType(entity: selector, attribute: name)
        }
      }
      return SQLValue(value).databaseValue
    } catch {
      manager.functionError = error
      throw error
    }
  }

  private static func argument(_ kind: String, _ value: DatabaseValue) -> PolicyArgument {
    switch kind {
    case "Object", "Objects":
      let names = String.fromDatabaseValue(value) ?? ""
      return .objects(
        names.split(separator: ",").compactMap { name in
          guard let colon = name.lastIndex(of: ":"), let key = Int64(name[name.index(after: colon)...]) else {
            return nil
          }
          return SourceObject(entity: String(name[..<colon]), key: key)
        })
    case "Unknown": return .value(AttributeValue(untyped: value))
    default: return .value(value.isNull ? nil : AttributeValue(stored: value, as: AttributeType(name: kind)))
    }
  }
}

/// An argument that an expression passes to a function of a policy.
public enum PolicyArgument: Hashable, Sendable {
  /// A value, nil for none.
  case value(AttributeValue?)
  /// Source objects: one, several, or none.
  case objects([SourceObject])

  /// The value; nil for a nil value and for objects.
  public var value: AttributeValue? { if case .value(let value) = self { value } else { nil } }

  /// The first of the objects.
  public var object: SourceObject? { if case .objects(let objects) = self { objects.first } else { nil } }
}
