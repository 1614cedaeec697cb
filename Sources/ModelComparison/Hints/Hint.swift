public import ModelDescription

/// Something a developer should look at although the models are valid.
public enum Hint: Hashable, Sendable {
  /// One element goes and one like it comes, so that its data is lost where a renaming identifier would keep it.
  case looksLikeRename(source: ModelElement, destination: ModelElement, identifier: String)
  /// The renaming identifier is the previous name of an element that has an identifier of its own.
  case identifierNamesPreviousName(element: ModelElement, identifier: String, canonicalName: String)
  /// The change reaches no existing row, and its entity may have no new version either.
  case doesNotReachExistingRows(element: ModelElement, aspect: Aspect, isNewVersion: Bool = false)
  /// Several elements claim each other by one name.
  case ambiguousPairing(PairingAmbiguity)
}

extension Hint: CustomStringConvertible {
  /// What it is and what to do.
  public var description: String { words(in: .written) }

  /// What it is and what to do, to be read or heard.
  package func words(in style: WordStyle) -> String {
    switch self {
    case .looksLikeRename(let source, let destination, let identifier):
      """
      \(source) goes and \(destination) comes: this looks like a rename, and the data would be lost; set the renaming identifier \
      of \(destination) to \(style.quoted(identifier)) to keep it
      """
    case .identifierNamesPreviousName(let element, let identifier, let canonicalName):
      """
      the renaming identifier \(style.quoted(identifier)) of \(element) is its previous name, whose own identifier is \
      \(style.quoted(canonicalName)); use that, so that older versions are still continued
      """
    case .doesNotReachExistingRows(let element, let aspect, false) where aspect.isIndex:
      """
      the index change of \(element) makes no new version, so existing stores never get it; change a version hash \
      modifier with it
      """
    case .doesNotReachExistingRows(let element, let aspect, let isNewVersion):
      "the change of \(element) (\(aspect.rawValue)) "
        + (isNewVersion ? "does not reach existing rows" : "makes no new version and does not reach existing rows")
    case .ambiguousPairing(let ambiguity):
      """
      \(ambiguity.words().destinations) and the source's \(ambiguity.words().sources) claim each other by the name \
      \(style.quoted(ambiguity.claimedName))
      """
    }
  }
}

extension Aspect {
  /// True for what only decides which indexes a store has.
  package var isIndex: Bool {
    switch self {
    case .indexed, .indexElements, .compoundIndexes, .partialIndexPredicate: true
    default: false
    }
  }

  /// True for what developers expect to reach existing rows and does not.
  package var seemsToReachRows: Bool {
    switch self {
    case .defaultValue, .minimum, .maximum, .regularExpression, .valueTransformer: true
    default: isIndex
    }
  }
}
