public import ModelDescription

/// A hint about valid models that developers should check.
public enum Hint: Hashable, Sendable {
  /// An element is removed and a similar element is added: its data is lost without a renaming identifier.
  case looksLikeRename(source: ModelElement, destination: ModelElement, identifier: String)
  /// The renaming identifier is the previous name of the element, which already had a renaming identifier.
  case identifierNamesPreviousName(element: ModelElement, identifier: String, canonicalName: String)
  /// The change does not reach existing rows, and may not make a new version of its entity.
  case doesNotReachExistingRows(element: ModelElement, aspect: Aspect, isNewVersion: Bool = false)
  /// Several elements match by the same name.
  case ambiguousPairing(PairingAmbiguity)
}

extension Hint: CustomStringConvertible {
  /// The hint and the remedy.
  public var description: String { words(in: .written) }

  /// The hint and the remedy, to be read or heard.
  package func words(in style: WordStyle) -> String {
    switch self {
    case .looksLikeRename(let source, let destination, let identifier):
      """
      \(source) is removed and \(destination) is added: this looks like a rename, but the data would be lost; to keep it, set \
      the renaming identifier of \(destination) to \(style.quoted(identifier))
      """
    case .identifierNamesPreviousName(let element, let identifier, let canonicalName):
      """
      the renaming identifier \(style.quoted(identifier)) of \(element) is its previous name, which had the renaming \
      identifier \(style.quoted(canonicalName)); keep that identifier, so that older versions are still continued
      """
    case .doesNotReachExistingRows(let element, let aspect, false) where aspect.isIndex:
      """
      the index change of \(element) does not make a new version, so existing stores never get it; change a version \
      hash modifier too
      """
    case .doesNotReachExistingRows(let element, let aspect, let isNewVersion):
      "the change of \(element) (\(aspect.rawValue)) "
        + (isNewVersion ? "does not reach existing rows" : "does not make a new version or reach existing rows")
    case .ambiguousPairing(let ambiguity):
      """
      \(ambiguity.words().destinations) and the source's \(ambiguity.words().sources) share the name \
      \(style.quoted(ambiguity.claimedName))
      """
    }
  }
}

extension Aspect {
  /// True for a setting that affects only the indexes of a store.
  package var isIndex: Bool {
    switch self {
    case .indexed, .indexElements, .compoundIndexes, .partialIndexPredicate: true
    default: false
    }
  }

  /// True for a setting that developers expect to reach existing rows, although it does not.
  package var seemsToReachRows: Bool {
    switch self {
    case .defaultValue, .minimum, .maximum, .regularExpression, .valueTransformer: true
    default: isIndex
    }
  }
}
