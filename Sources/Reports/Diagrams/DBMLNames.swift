/// Names and texts as DBML takes them, each name once in its scope.
///
/// Its readers disagree about what may stand in a quoted name, so anything but letters, digits, spaces and hyphens becomes
/// an underscore; where that happens a note gives the exact name.
struct DBMLNames {
  private var taken: Set<String> = []
  private var numbers: [String: Int] = [:]

  /// A name of the scope that nothing else has.
  mutating func unique(_ name: String) -> String {
    let plain = Self.plain(name)
    var candidate = plain
    while !taken.insert(candidate).inserted {
      numbers[plain, default: 1] += 1
      candidate = "\(plain)_\(numbers[plain, default: 2])"
    }
    return candidate
  }

  static func quoted(_ name: String) -> String { "\"\(plain(name))\"" }

  /// A text between single quotation marks.
  static func string(_ text: String) -> String {
    "'\(line(text).replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }

  static func line(_ text: String) -> String { PrintableText.line(text) }

  private static func plain(_ name: String) -> String {
    let plain = name.map { character in
      character.isLetter || character.isNumber || character == " " || character == "-" ? character : "_"
    }
    return plain.isEmpty ? "unnamed" : String(plain)
  }
}
