package import ModelDescription

extension AttributeValue {
  /// True when an attribute of the type can have this value.
  package func suits(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.integer(let value), .integer16): Int16(exactly: value) != nil
    case (.integer(let value), .integer32): Int32(exactly: value) != nil
    case (.integer, .integer64), (.boolean, .boolean): true
    case (.integer, .decimal), (.integer, .double), (.integer, .float): true
    case (.decimal, .decimal), (.double, .decimal), (.double, .double), (.double, .float): true
    case (.decimal, .double), (.decimal, .float): true
    case (.string, .string), (.date, .date), (.binary, .binary), (.binary, .transformable): true
    case (.uuid, .uuid), (.uri, .uri): true
    default: false
    }
  }
}
