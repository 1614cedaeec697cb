/// A pattern of `LIKE`: `*` stands for any characters, `?` for one, and a backslash takes the next character as it is.
struct WildcardPattern {
  private enum Element: Equatable {
    case exactly(Unicode.Scalar)
    case one
    case any
  }

  private var elements: [Element] = []

  /// Reads a pattern; every text is one.
  init(_ pattern: String) {
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        elements.append(.exactly(scalar))
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "?": elements.append(.one)
      case "*": if elements.last != .any { elements.append(.any) }
      default: elements.append(.exactly(scalar))
      }
    }
    if isEscaped { elements.append(.exactly("\\")) }
  }

  /// True when the whole text is of the pattern.
  ///
  /// After a mismatch only the last `*` takes one character more, so that the time is bounded by the product of lengths.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var position = 0
    var element = 0
    var retry: (position: Int, element: Int)?
    while position < scalars.count {
      let current = element < elements.count ? elements[element] : nil
      if current == .any {
        retry = (position, element)
        element += 1
      } else if current == .one || current == .exactly(scalars[position]) {
        position += 1
        element += 1
      } else if let last = retry {
        retry = (last.position + 1, last.element)
        (position, element) = (last.position + 1, last.element + 1)
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .any }
  }
}
