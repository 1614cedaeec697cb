import ModelDescription

/// What is asked of a value that is stored as its column's type and that its attribute may yet be unable to hold.
enum ValueDemand: CaseIterable {
  case integer16
  case integer32
  /// Sixteen bytes.
  case uuid
  /// Bytes behind a mark, which says whether they are the data or the name of its file.
  case marked

  /// What is asked of the values of an attribute; nil where the column's type is all.
  init?(_ attribute: AttributeDescription) {
    switch attribute.type {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .uuid: self = .uuid
    case .binary, .transformable:
      guard attribute.allowsExternalBinaryDataStorage else { return nil }
      self = .marked
    default: return nil
    }
  }

  /// The ways in which a value can fail it; one of another storage class fails none.
  ///
  /// - Parameter value: the value in SQL.
  /// - Returns: conditions in SQL, each with what is wrong where it holds.
  func breaches(by value: String) -> [(condition: String, sentence: String)] {
    switch self {
    case .integer16: [Self.beyond(Int64(Int16.min)...Int64(Int16.max), .integer16, value)]
    case .integer32: [Self.beyond(Int64(Int32.min)...Int64(Int32.max), .integer32, value)]
    case .uuid: [("\(value) >= x'' AND length(\(value)) <> 16", "the bytes are not the 16 of a UUID")]
    // Names are judged by their length alone: what has it and names no file is kept as a value like any other.
    case .marked:
      [
        (
          "\(value) >= x'' AND (\(value) < x'01' OR \(value) >= x'03')",
          "the bytes begin with neither mark of external storage"
        ),
        (
          "\(value) >= x'02' AND \(value) < x'03' AND length(\(value)) <> 38",
          "the bytes are marked as the name of a file of external data and are none"
        ),
      ]
    }
  }

  private static func beyond(
    _ bounds: ClosedRange<Int64>, _ type: AttributeType, _ value: String
  ) -> (condition: String, sentence: String) {
    (
      "(\(value) < \(bounds.lowerBound) OR \(value) > \(bounds.upperBound)) AND typeof(\(value)) = 'integer'",
      "the number does not fit an attribute of type \(type.name)"
    )
  }
}
