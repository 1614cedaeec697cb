/// The names that versions of a bundle are given.
public enum VersionName {
  /// The longest name, in bytes, that fits every file system with its extension.
  private static let limit = 200

  /// The name after a version's, by the pattern of the bundle's names: “Model 2” is followed by “Model 3”, “v6” by
  /// “v7”, “Shop” by “Shop 2”, as in Xcode.
  ///
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

  /// A name for a version that came before another one: by the order of names it follows the one before that.
  ///
  /// - Parameter wanted: names to be taken if they are free and come before the current version.
  /// - Returns: a name that no version of the bundle has.
  static func before(_ name: String, wanted: [String], in bundle: ModelBundle) -> String {
    let names = bundle.versions.map(\.name)
    let taken = Set(names.map { $0.lowercased() })
    func isOrdered(_ candidate: String, before later: String) -> Bool {
      guard !taken.contains(candidate.lowercased()), objection(to: candidate) == nil else { return false }
      let sequence = VersionSequence(of: names + [candidate], currentName: bundle.currentVersionName)
      return sequence.isOrdered(candidate, before: later) == true
    }
    let current = bundle.currentVersionName ?? name
    if let wanted = wanted.first(where: { isOrdered($0, before: current) }) { return wanted }
    let number = trailingDigits(name)
    let position = names.firstIndex(of: name) ?? 0
    let candidates =
      position > 0
      ? (1...9).map { "\(names[position - 1]).\($0)" }
      : [Int(number).map { "\(name.dropLast(number.count))\($0 - 1)" }].compactMap { $0 }
    let fitting = candidates.first { candidate in
      isOrdered(candidate, before: name)
        && (position == 0 || VersionOrder.sorted([candidate, names[position - 1]]).last == candidate)
    }
    return fitting ?? free("\(name) as stored", among: names)
  }

  /// A name, with a number after it if it is taken.
  static func free(_ name: String, among names: [String]) -> String {
    let isTaken = names.contains { $0.lowercased() == name.lowercased() }
    return isTaken ? next(after: name, among: names) : name
  }

  /// The digits at the end, as many as a number can have.
  private static func trailingDigits(_ name: String) -> Substring {
    let digits = name.suffix(while: { $0.isASCII && $0.isNumber })
    return digits.count > 15 ? name.suffix(0) : digits
  }

  /// Why a name cannot be given, nil for one that can.
  public static func objection(to name: String) -> String? {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return "it is empty" }
    if first == "." { return "it begins with a full stop" }
    if scalars.contains(where: { $0 == "/" || $0 == ":" }) { return "it contains a path separator" }
    if scalars.contains("\u{FFFD}") { return "it contains bytes that are not UTF-8" }
    if scalars.contains(where: isUnseen) {
      return "it contains an invisible control character"
    }
    if first == " " || last == " " { return "it begins or ends with a space" }
    if name.utf8.count > limit { return "it is longer than \(limit) bytes" }
    return nil
  }

  /// True for a character that ends lines, changes the direction of writing, or is invisible.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl || scalar.properties.isNoncharacterCodePoint || scalar == "\u{FEFF}"
    }
  }
}

extension String {
  fileprivate func suffix(while condition: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, condition(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
