public import StoreRows

/// Something that two edits of one store disagree about.
public struct StoreMergeConflict: Hashable, Sendable {
  /// What the sides disagree about.
  public enum Cause: Hashable, Sendable {
    /// An attribute or a to-one relationship has two new values.
    case value(String, base: RecordValue, ours: RecordValue, theirs: RecordValue)
    /// Both sides gave the objects of an ordered relationship another order.
    case order(String)
    /// Ours deleted the object, theirs changed it or linked it to another.
    case deletedByOurs
    /// Theirs deleted the object, ours changed it or linked it to another.
    case deletedByTheirs
    /// The merged store has another object with the same unique values.
    case notUnique([String], other: RecordID)
    /// The relationship of the merged object leads to fewer objects than it must.
    case tooFew(String, count: Int, minimum: Int)
    /// The relationship of the merged object leads to more objects than it may.
    case tooMany(String, count: Int, maximum: Int)
  }

  /// The object, under its key in the merged store.
  public let object: RecordID
  /// What the sides disagree about.
  public let cause: Cause

  /// Names an object and what the sides disagree about.
  public init(object: RecordID, cause: Cause) { (self.object, self.cause) = (object, cause) }
}

/// Why stores cannot be merged.
public enum StoreMergeError: Error, Hashable, Sendable {
  /// A side is of another version than ours.
  case versions(path: String, ours: String)
  /// Each side changed an entry of the metadata to something else.
  case metadata(path: String, entry: String)
  /// There is no key left for an object that theirs added.
  case keys(path: String, entity: String)
}

extension StoreMergeError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .versions(let path, let ours):
      "\(path): it is of another version of the model than \(ours); migrate both to the same one with: modelctl migrate"
    case .metadata(let path, let entry):
      "\(path): both sides changed \(entry) in the metadata; make it the same on one of them"
    case .keys(let path, let entity): "\(path): the keys of \(entity) end at the greatest number that there is"
    }
  }
}
