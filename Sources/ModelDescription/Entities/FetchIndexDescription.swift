/// An index of an entity on its properties.
public struct FetchIndexDescription: Hashable, Sendable {
  /// One column of the index.
  public struct Element: Hashable, Sendable {
    /// The kind of index in SQLite.
    public enum Kind: Hashable, Sendable {
      /// An ordinary b-tree index.
      case binary
      /// A spatial index in an R-tree table.
      case rTree
    }

    /// The subject of the element.
    public enum Subject: Hashable, Sendable {
      /// A property of the entity; `self` and `entity` name the object and its entity.
      case property(String)
      /// A computed expression, which only archives carry.
      case expression(String)
    }

    /// The subject of the element.
    public var subject: Subject
    /// The kind of index in SQLite.
    public var kind: Kind
    /// False for descending order.
    public var isAscending: Bool

    /// Makes an index element.
    public init(subject: Subject, kind: Kind = .binary, isAscending: Bool = true) {
      (self.subject, self.kind, self.isAscending) = (subject, kind, isAscending)
    }
  }

  /// The index's name, unique in its entity.
  public var name: String
  /// Its columns in order.
  public var elements: [Element]
  /// The predicate that rows must meet to be indexed.
  public var partialIndexPredicate: String?

  /// Makes a fetch index.
  public init(name: String, elements: [Element], partialIndexPredicate: String? = nil) {
    (self.name, self.elements, self.partialIndexPredicate) = (name, elements, partialIndexPredicate)
  }
}
