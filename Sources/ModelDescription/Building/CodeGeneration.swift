/// How Xcode generates the class of an entity; nil, as in older files, generates nothing.
public struct CodeGeneration: RawRepresentable, Hashable, Sendable {
  /// The word that model files have.
  public let rawValue: String

  /// Takes a word that model files have.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The whole class.
  public static let `class` = CodeGeneration(rawValue: "class")
  /// An extension of a class that is written by hand.
  public static let category = CodeGeneration(rawValue: "category")
}
