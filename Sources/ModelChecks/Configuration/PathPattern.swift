/// A pattern of paths: `*` and `?` stand for characters of one name, `**` for any number of folders.
public struct PathPattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let text: String
  private let parts: [[Character]]

  /// Takes a pattern; a slash at either end says nothing.
  public init(_ text: String) {
    self.text = text
    parts = text.split(separator: "/").filter { $0 != "." }.map(Array.init)
  }

  /// True for a path that fits, and for everything in a folder that fits.
  ///
  /// - Parameter components: the path's components, from where the pattern begins.
  /// - Returns: false where it does not.
  public func matches(_ components: [String]) -> Bool {
    guard !parts.isEmpty else { return false }
    let names = components.map(Array.init)
    // reached[i] is true when the parts so far can stand for the first i names.
    var reached = [true] + Array(repeating: false, count: names.count)
    for part in parts {
      var next = Array(repeating: false, count: names.count + 1)
      if part == ["*", "*"] {
        var isOpen = false
        for position in next.indices {
          isOpen = isOpen || reached[position]
          next[position] = isOpen
        }
      } else {
        for (position, name) in names.enumerated() where reached[position] && Self.matches(part, name) {
          next[position + 1] = true
        }
      }
      reached = next
    }
    return reached.contains(true)
  }

  /// Whether one name fits one part; the time grows with the product of their lengths only.
  private static func matches(_ part: [Character], _ name: [Character]) -> Bool {
    var reached = [true] + Array(repeating: false, count: name.count)
    for character in part {
      var next = Array(repeating: false, count: name.count + 1)
      if character == "*" {
        var isOpen = false
        for position in next.indices {
          isOpen = isOpen || reached[position]
          next[position] = isOpen
        }
      } else {
        for (position, letter) in name.enumerated() where reached[position] && (character == "?" || character == letter)
        {
          next[position + 1] = true
        }
      }
      reached = next
    }
    return reached.last ?? false
  }
}
