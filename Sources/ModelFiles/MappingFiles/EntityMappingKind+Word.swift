import MappingModels

extension EntityMapping.Kind {
  /// Every kind with its word in mapping files.
  private static let words: [(kind: Self, word: String)] = [
    (.undefined, "undefined"), (.custom, "custom"), (.add, "add"), (.remove, "remove"), (.copy, "copy"),
    (.transform, "transform"),
  ]

  /// The kind of a word.
  init?(word: String) {
    guard let kind = Self.words.first(where: { $0.word == word })?.kind else { return nil }
    self = kind
  }

  /// The kind's word.
  var word: String { Self.words.first { $0.kind == self }?.word ?? "undefined" }
}
