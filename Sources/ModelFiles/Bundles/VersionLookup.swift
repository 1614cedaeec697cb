import ModelDescription

/// Finds the versions that a name means as people type it.
package enum VersionLookup {
  /// The positions of the names that a text means: equal names; if there are none, names that differ only in case;
  /// if there are none, names that end with its number, such as “Model 117” for `117`.
  ///
  /// - Returns: the positions; several if the text is ambiguous.
  package static func positions(of text: String, in names: [String]) -> [Int] {
    func all(_ isMeant: (String) -> Bool) -> [Int] { names.indices.filter { isMeant(names[$0]) } }
    let same = all { $0 == text }
    if !same.isEmpty { return same }
    let lowercased = text.lowercased()
    let alike = all { $0.lowercased() == lowercased }
    return alike.isEmpty ? all { isNumber(text, of: $0) } : alike
  }

  /// True if a text consists of digits with full stops between them, and a name ends with it.
  private static func isNumber(_ text: String, of name: String) -> Bool {
    guard let first = text.first, let last = text.last, first.isASCIIDigit, last.isASCIIDigit,
      text.allSatisfy({ $0.isASCIIDigit || $0 == "." }), name.hasSuffix(text)
    else { return false }
    let before = name.dropLast(text.count).last
    return before.map { !$0.isASCIIDigit && $0 != "." } ?? true
  }

  /// The name of a bundle, and those of its versions.
  package struct Bundle {
    package let name: String
    package let versions: [String]

    package init(name: String, versions: [String]) { (self.name, self.versions) = (name, versions) }
  }

  /// Suggestions for an unknown name: the names of versions, with their bundle's name if they are ambiguous without it.
  package static func suggestions(for text: String, among bundles: [Bundle]) -> [String] {
    let all = Dictionary(grouping: bundles.flatMap(\.versions)) { $0 }.mapValues(\.count)
    let taken = Set(bundles.map(\.name))
    let candidates = bundles.flatMap { bundle in
      bundle.versions.map { name -> (shown: String, keys: [String]) in
        let qualified = "\(bundle.name)@\(name)"
        let isClear = all[name] == 1 && !taken.contains(name)
        return (isClear && !text.contains("@") ? name : qualified, [name, qualified])
      } + [(bundle.name, [bundle.name])]
    }
    return NearNames.candidates(for: text, among: candidates)
  }

  /// The positions of the bundles that a name means: equal names, or names that differ only in case.
  package static func bundles(of text: String, in names: [String]) -> [Int] {
    let same = names.indices.filter { names[$0] == text }
    return same.isEmpty ? names.indices.filter { isRespelled(text, names[$0]) } : same
  }

  /// True if a text differs from a name only in case.
  package static func isRespelled(_ text: String, _ name: String) -> Bool {
    text != name && text.lowercased() == name.lowercased()
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
