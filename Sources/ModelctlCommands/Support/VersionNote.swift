import ModelKit

/// What is said where a version was found under a name in other letters' case.
enum VersionNote {
  /// Notes that a name is taken for one of others that it is but for case; silent otherwise.
  static func tell(_ text: String, isTakenFor names: [String]) {
    guard !names.contains(text), let name = names.first(where: { VersionLookup.isRespelled(text, $0) }) else { return }
    Console.note("“\(text)” is taken for \(name)")
  }

  /// The position of the only version that a name means, with a note where it is in other letters' case.
  ///
  /// - Returns: the position, nil for a name that means none or several.
  static func position(of text: String, in names: [String]) -> Int? {
    let positions = VersionLookup.positions(of: text, in: names)
    guard positions.count == 1, let position = positions.first else { return nil }
    tell(text, isTakenFor: [names[position]])
    return position
  }
}
