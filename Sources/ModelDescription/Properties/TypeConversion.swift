/// The change of a value's type.
public struct TypeConversion: Hashable, Sendable {
  /// The source type.
  public var from: AttributeType
  /// The destination type.
  public var to: AttributeType

  /// Makes a conversion.
  public init(from: AttributeType, to: AttributeType) { (self.from, self.to) = (from, to) }

  /// True if inference makes it without an option.
  ///
  /// Core Data converts between numbers. A Boolean is stored as an integer, and a transformable value as binary data, so
  /// inference converts these types too.
  public var isInferable: Bool {
    if from == to || from.isNumeric && to.isNumeric { return true }
    switch (from, to) {
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): return true
    case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean): return true
    case (.binary, .transformable), (.transformable, .binary): return true
    default: return false
    }
  }

  /// True if a conversion exists that a caller can request.
  public var isCastable: Bool {
    if isInferable { return true }
    let number = from.isNumeric || from == .boolean
    let toNumber = to.isNumeric || to == .boolean
    switch (from, to) {
    case (.string, _) where toNumber, (_, .string) where number: return true
    case (.string, .date), (.string, .uuid), (.string, .uri), (.string, .binary): return true
    case (.date, .string), (.uuid, .string), (.uri, .string), (.binary, .string): return true
    case (.uuid, .binary), (.binary, .uuid): return true
    case (.date, _): return to.isNumeric
    case (_, .date): return from.isNumeric
    default: return number && toNumber
    }
  }

  /// True if every stored value of the source type has exactly one equal value in the destination type.
  ///
  /// A text can represent only dates with a year of four digits, and a store may contain a UUID without 16 bytes.
  public var isExact: Bool {
    if from == to { return true }
    switch (from, to) {
    case (.integer16, .integer32), (.integer16, .integer64), (.integer16, .decimal), (.integer16, .double),
      (.integer16, .float), (.integer16, .date):
      return true
    case (.integer32, .integer64), (.integer32, .decimal), (.integer32, .double), (.integer32, .date): return true
    case (.integer64, .decimal), (.float, .double), (.float, .decimal), (.float, .date): return true
    case (.double, .date), (.date, .double): return true
    case (.boolean, _): return to.isNumeric || to == .string
    case (.binary, .transformable), (.transformable, .binary), (.uuid, .binary): return true
    case (_, .string): return ![.binary, .date, .uuid].contains(from)
    default: return false
    }
  }
}
