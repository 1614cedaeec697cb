import ModelDescription

/// A change in words, in several forms.
public struct ChangeWords: Hashable, Sendable {
  private let kind: Change.Kind

  fileprivate init(_ kind: Change.Kind) { self.kind = kind }

  /// The change on a line of its own, after the name of the element: `optional: no → yes`.
  public var sentence: String {
    switch kind {
    case .added: "added"
    case .removed: "removed"
    case .renamed(let from, _): "renamed from \(from)"
    case .moved(let from, let to): "moved from \(from) to \(to)"
    case .attributeBecameRelationship: "was an attribute, is a relationship"
    case .relationshipBecameAttribute: "was a relationship, is an attribute"
    case .changed(let aspect, let from, let to): "\(aspect.rawValue): \(from) → \(to)"
    case .followsRename(let aspect, let from, let to): "\(aspect.rawValue) follows the rename of \(from) to \(to)"
    case .followsAncestor(let ancestor): "inherits the change of \(ancestor)"
    }
  }

  /// The change to be heard: without arrows, and with names in words.
  public var spoken: String {
    switch kind {
    case .changed(let aspect, let old, let new):
      "\(aspect.spokenName) \(aspect.isPlural ? "change" : "changes") from \(old.words(in: .spoken)) to "
        + new.words(in: .spoken)
    case .followsRename(let aspect, let old, let new): "\(aspect.spokenName) follows the rename of \(old) to \(new)"
    default: sentence
    }
  }

  /// The change in a sentence, after the name of the element: `is optional now`.
  public var clause: String {
    switch kind {
    case .added: "was added"
    case .removed: "was removed"
    case .renamed(let from, _): "was renamed from \(from)"
    case .moved(let from, let to): "was moved from \(from) to \(to)"
    case .attributeBecameRelationship: "was an attribute and is a relationship"
    case .relationshipBecameAttribute: "was a relationship and is an attribute"
    case .changed(let aspect, from: .flag, to: .flag(let isSet)) where aspect.isAdjective:
      isSet ? "is \(aspect.adjective) now" : "is not \(aspect.adjective) any more"
    case .changed(let aspect, let from, let to): "has \(aspect.rawValue) \(to) instead of \(from)"
    case .followsRename(let aspect, let from, let to): "has \(aspect.rawValue) \(to) instead of \(from)"
    case .followsAncestor(let ancestor): "inherits the change of \(ancestor)"
    }
  }

  /// The change in a comment of a mapping file: `was note`; nil if it does not concern one property.
  package var remark: String? {
    switch kind {
    case .added: "new"
    case .renamed(let source, _): "was \(source)"
    case .attributeBecameRelationship: "was an attribute"
    case .relationshipBecameAttribute: "was a relationship"
    case .changed(let aspect, let from, let to): "\(aspect.rawValue) was \(from), is \(to)"
    case .removed, .moved, .followsRename, .followsAncestor: nil
    }
  }
}

extension Change {
  /// The change in words.
  public var words: ChangeWords { ChangeWords(kind) }
}

extension String {
  /// A name in camel case as words: `defaultValue` is `default value`.
  package var wordsOfName: String {
    reduce(into: "") { words, character in
      if character.isUppercase, !words.isEmpty { words += " " }
      words += character.lowercased()
    }
  }
}

extension Aspect {
  /// The name in words: `minCount` is `min count`.
  package var spokenName: String { rawValue.wordsOfName }

  /// True for a setting with a name in the plural.
  fileprivate var isPlural: Bool {
    switch self {
    case .elements, .uniquenessConstraints, .compoundIndexes, .indexElements, .settings, .members, .versionIdentifiers:
      true
    default: false
    }
  }

  /// True for a setting with an adjective as its name.
  fileprivate var isAdjective: Bool {
    switch self {
    case .optional, .transient, .indexed, .ordered, .abstract, .toMany: true
    default: false
    }
  }

  fileprivate var adjective: String { self == .toMany ? "to-many" : rawValue }
}
