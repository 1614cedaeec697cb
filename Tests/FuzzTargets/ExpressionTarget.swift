import Foundation
import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

/// Expressions: read, written, put into words, typed, compiled to SQL.
enum ExpressionTarget {
  static func run(_ data: Data) throws {
    let expression = try ValueExpression(parsing: String(decoding: data, as: UTF8.self))
    for quotes in [ValueExpression.Quotes.single, .double] {
      let text = expression.formatted(quotes: quotes)
      let again: ValueExpression
      do {
        again = try ValueExpression(parsing: text)
      } catch {
        throw FuzzFinding("what is written of an expression cannot be read: \(error)\n\(text)")
      }
      try FuzzFinding.expect(again.formatted(quotes: quotes) == text, "an expression that is read is another: \(text)")
    }
    _ = expression.words
    let (source, destination) = (try FuzzSamples.order(0).hierarchy, try FuzzSamples.order(1).hierarchy)
    let store = StoreModel(hierarchy: source, layout: SQLStoreLayout(of: source))
    for entity in source.model.entities {
      for role in [ExpressionTyping.Role.filter, .attribute, .relationship] {
        let typing = ExpressionTyping(source: source, entity: entity.name, role: role, destination: destination)
        _ = attempt { try typing.type(of: expression) }
      }
      let compiler = ExpressionCompiler(source: store, entity: entity.name, row: "row", now: 0)
      _ = attempt { try compiler.condition(expression) }
      _ = attempt { try compiler.links(expression) }
      for type in [AttributeType.string, .integer64, .decimal, .date, .binary, .uuid] {
        let attribute = AttributeDescription(name: "value", type: type)
        _ = attempt { try compiler.value(expression, for: attribute) }
      }
    }
  }

  private static func attempt<Value>(_ body: () throws -> Value) -> String {
    do { return "\(try body())" } catch { return "\(error)" }
  }
}
