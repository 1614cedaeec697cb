import MappingModels
import ModelDescription

/// Compiles the expressions of one entity mapping to SQL over a row of its source table, which goes by the name `source`.
protocol RowExpressions {
  /// The value of an expression as an attribute stores it.
  func value(_ expression: ValueExpression, for attribute: AttributeDescription) throws -> SQLStatement
  /// A condition that holds for the rows a filter takes.
  func condition(_ filter: ValueExpression) throws -> SQLStatement
  /// SQL of a mapping file with the key paths in it.
  func sql(_ text: String, for attribute: AttributeDescription) throws -> SQLStatement
  /// Selects the source objects that an expression leads to, for all rows: `near`, the row's key, `far`, the object's, and
  /// `place`, the object's place where they are ordered.
  func links(_ objects: ValueExpression) throws -> SQLStatement
}
