/// The names that entities and properties are given.
public enum ElementName {
  /// Why a name cannot be given, nil for one that can: it must be an identifier of Swift and Objective-C.
  public static func objection(to name: String) -> String? {
    let scalars = name.unicodeScalars
    guard let first = scalars.first else { return "it is empty" }
    guard name.utf8.count <= 200 else { return "it is longer than 200 bytes" }
    guard first == "_" || first.properties.isAlphabetic else { return "it does not begin with a letter" }
    guard scalars.allSatisfy(isPart) else { return "it has something else in it than letters, digits and underscores" }
    return nil
  }

  /// Why a name cannot be an entity's, nil for one that can: Xcode wants a capital letter first.
  public static func objection(toEntity name: String) -> String? {
    if let reason = objection(to: name) { return reason }
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isLowercase else { return nil }
    return "the name of an entity begins with a capital letter, or Xcode does not compile the model"
  }

  /// True for what names consist of.
  static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      || scalar.properties.generalCategory == .nonspacingMark
  }

  /// True when a text has a name in it as a word.
  static func isMentioned(_ name: String, in text: String) -> Bool { words(in: text).contains(name) }

  /// What stands in a text as words, in order.
  static func words(in text: String) -> [String] {
    text.unicodeScalars.split { !isPart($0) }.map { String(String.UnicodeScalarView($0)) }
  }
}
