public import ModelDescription

/// Why an expression has no meaning for the models of a mapping.
public struct ExpressionTypeError: Error, Hashable, Sendable {
  /// What is wrong with the part.
  public enum Reason: Error, Hashable, Sendable {
    /// An entity or a type of value has no such key.
    case unknownKey(String, of: String, near: [String])
    /// The key path reads what is not stored.
    case transient(String, of: String)
    /// A composite attribute is no value; its elements are.
    case composite(String, elements: [String])
    /// A collection stands where one value is needed.
    case severalValues(ExpressionType)
    /// A collection operator follows something that is no collection.
    case noCollection(operator: String, found: ExpressionType)
    /// Nobody knows the collection operator.
    case unknownOperator(String, near: [String])
    /// The collection operator gives one value, and keys follow it; or it needs keys, and none follow.
    case misplacedOperator(String)
    /// A to-many relationship of several objects gives collections of collections.
    case nestedCollection(relationship: String)
    /// Nobody knows the function.
    case unknownFunction(String, near: [String])
    /// A function got more or fewer arguments than it takes.
    case argumentCount(String, expected: String, found: Int)
    /// A function got an argument that it cannot take.
    case argument(String, expected: String, found: ExpressionType)
    /// The divisor is the number 0 itself.
    case divisionByZero
    /// Nobody knows the variable.
    case unknownVariable(String, near: [String])
    /// The variable is Core Data's and has no meaning for sets of rows.
    case refusedVariable(String)
    /// The variable has a meaning already, so that it cannot stand for a member of a `SUBQUERY`.
    case variableTaken(String)
    /// The variable can only be sent messages.
    case variableAsValue(String)
    /// The object of the migration has no such method.
    case unknownSelector(String, target: String, near: [String])
    /// The message goes to something else than `$manager` or `$entityPolicy`.
    case unknownTarget
    /// No entity mapping has this name.
    case unknownMapping(String, near: [String])
    /// The entity mapping makes objects of other sources or of another destination.
    case otherMapping(String, mapped: String, found: String)
    /// The method gives objects, and stands where a value is needed; or the other way round.
    case misplacedLookup
    /// These two cannot be compared in this way.
    case incomparable(ExpressionType, ExpressionType, how: String)
    /// This does not become the attribute's type by itself.
    case unassignable(ExpressionType, to: AttributeType, property: String)
    /// This is not what a relationship refers to.
    case noLinks(ExpressionType, property: String)
    /// A number does not fit the attribute.
    case outOfRange(AttributeType, property: String)
    /// A text is not of the type it is cast to.
    case unreadable(String, as: String)
    /// Nobody knows the type to cast to.
    case unknownCast(String, near: [String])
    /// This cannot become a value of that type.
    case uncastable(ExpressionType, to: String)
    /// A condition is neither true nor false.
    case noCondition(ExpressionType)
    /// Two branches or members have types that do not go together.
    case mixed(ExpressionType, ExpressionType)
    /// A key stands where nothing is to be read from, as when a text lost its quotes.
    case bareKey
    /// The regular expression is none.
    case invalidPattern(detail: String)
    /// A random number would be another one in every run.
    case random
    /// A fetch request stands outside the choice of source objects.
    case fetch
    /// SQLite's functions read the text up to its first NUL only.
    case textWithNUL
    /// Expressions stand in one another deeper than this.
    case tooDeep(limit: Int)
  }

  /// The part of the expression, as people write it.
  public var expression: String
  /// What is wrong with it.
  public var reason: Reason

  package init(expression: String, reason: Reason) { (self.expression, self.reason) = (expression, reason) }
}
