import ModelKit

/// The sentence about a new store that cannot contain the model of its source store.
enum MissingModelText {
  /// Returns the sentence; empty if the new store is an SQLite store, or if the source store contains no model.
  ///
  /// - Parameter kind: the type of the new store; nil for SQLite.
  static func text(_ source: ModelFile, kind: (any StoreKind)?) -> String {
    guard kind != nil, source.cachedContent != nil else { return "" }
    let command = "modelctl export \(ShellWord(path: source.path).text) --output NAME.xcdatamodeld"
    return "The new store contains no model; make a bundle of the source's model: \(command)\n"
  }
}
