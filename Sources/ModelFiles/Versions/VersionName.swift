/// The names that versions of a bundle are given.
public enum VersionName {
  /// The longest name, in bytes, that fits every file system with its extension.
  private static let limit = 200

  /// The name after a version's, by the pattern of the bundle's names: “Model 2” is followed by “Model 3”, “v6” by
  /// “v7”, “Shop” by “Shop 2”, as in Xcode.
  ///
  /// - Parameters:
  ///   - name: the version that is copied.
  ///   - names: the names that are taken.
  /// - Returns: a name that none of them has, not even in other letters' case.
  public static func next(after name: String, among names: [String]) -> String {
    let digits = trailingDigits(name)
    let hasNumber = !digits.isEmpty
    let stem = hasNumber ? String(name.dropLast(digits.count)) : "\(name) "
    let numbers = names.filter { $0.hasPrefix(stem) && trailingDigits($0).count == $0.count - stem.count }
      .compactMap { Int($0.dropFirst(stem.count)) }
    let taken = Set(names.map { $0.lowercased() })
    var number = max(numbers.max() ?? 1, hasNumber ? 0 : 1)
    while true {
      number += 1
      let text = String(number)
      let padding = digits.hasPrefix("0") ? String(repeating: "0", count: max(0, digits.count - text.count)) : ""
      let candidate = stem + padding + text
      if !taken.contains(candidate.lowercased()) { return candidate }
    }
  }

  /// The digits at the end, as many as a number can have.
  private static func trailingDigits(_ name: String) -> Substring {
    let digits = name.suffix(while: { $0.isASCII && $0.isNumber })
    return digits.count > 15 ? name.suffix(0) : digits
  }

  /// Why a name cannot be given, nil for one that can.
  public static func objection(to name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    if name.hasPrefix(".") { return "it begins with a full stop" }
    if name.contains("/") || name.contains(":") { return "it has a separator of paths in it" }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "it has a control character in it"
    }
    if name.first == " " || name.last == " " { return "it has a space at an end" }
    if name.utf8.count > limit { return "it is longer than \(limit) bytes" }
    return nil
  }
}

extension String {
  fileprivate func suffix(while condition: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, condition(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
