import Foundation
import MigrationSQL

/// What becomes of the values of one column.
enum ColumnMask {
  /// They stay.
  case copy
  /// They stay, and so do the files of external data that they name.
  case copyWithFiles
  /// None is left.
  case empty
  /// All are this one.
  case constant(SQLValue)
  /// Texts; they must match what the original matches.
  case text(attribute: String, patterns: [String])
  case address
  case uuid
  /// Bytes, with the mark of external storage before them where they may have one.
  case bytes(isMarked: Bool)
  /// The archive of a value, or bytes that only the app can read.
  case archive(isMarked: Bool)
  /// Numbers that are moved together with those of the group's other members.
  case number(group: String, member: Int, isSingle: Bool)
  /// Whatever stands in a table that the model does not know.
  case unknown

  /// True when values of the column are texts that must not be found in the copy, or numbers whose range matters.
  var isMasked: Bool {
    switch self {
    case .copy, .copyWithFiles: false
    default: true
    }
  }

  /// True when two values may become the same one.
  var mayCollide: Bool {
    switch self {
    case .text, .address, .bytes, .archive, .uuid, .unknown: true
    case .copy, .copyWithFiles, .empty, .constant, .number: false
    }
  }
}
