import ModelKit

/// The sentence about a new store that cannot contain the model of its source store.
enum MissingModelText {
  /// Returns the sentence; empty for an SQLite store, for a model in a bundle, and if the source contains no model.
  ///
  /// - Parameters:
  ///   - source: the model of the source store.
  ///   - bundle: the path of the bundle with this model; empty if there is none.
  ///   - kind: the type of the new store; nil for SQLite.
  static func text(_ source: ModelFile, in bundle: String = "", kind: (any StoreKind)?) -> String {
    guard kind != nil, bundle.isEmpty, source.cachedContent != nil else { return "" }
    let command = "modelctl export \(ShellWord(path: source.path).text) --output NAME.xcdatamodeld"
    return "The new store contains no model; make a bundle of the source's model: \(command)\n"
  }
}
