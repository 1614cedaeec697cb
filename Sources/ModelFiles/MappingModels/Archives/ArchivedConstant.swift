import ModelDescription

/// Reads the value of an archived constant, whose type only the archive tells.
enum ArchivedConstant {
  static func value(_ object: ArchivedObject) -> AttributeValue? {
    if let text = object.string { return .string(text) }
    switch object.value {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .double(number)
    case .single(let number): return .double(Double(number))
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .binary(bytes)
    default: break
    }
    guard let type = classes.first(where: { object.isKind(of: $0.name) })?.type else { return nil }
    return ArchivedAttributeValue.value(object, as: type)
  }

  private static let classes: [(name: String, type: AttributeType)] = [
    ("NSDate", .date), ("NSDecimalNumber", .decimal), ("NSDecimalNumberPlaceholder", .decimal), ("NSUUID", .uuid),
    ("NSURL", .uri), ("NSData", .binary),
  ]
}
