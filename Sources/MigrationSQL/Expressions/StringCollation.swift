package import Foundation
import MappingModels

/// The comparison of texts as in `NSString`, with the options of a predicate's comparison.
package struct StringCollation: Hashable, CaseIterable {
  /// `[c]`.
  var ignoresCase = false
  /// `[d]`.
  var ignoresDiacritics = false

  package static let allCases = [false, true].flatMap { ignoresCase in
    [false, true].map { StringCollation(ignoresCase: ignoresCase, ignoresDiacritics: $0) }
  }

  /// The options as a number in SQL.
  package var flags: Int { (ignoresCase ? 1 : 0) + (ignoresDiacritics ? 2 : 0) }

  init(flags: Int) { (ignoresCase, ignoresDiacritics) = (flags & 1 != 0, flags & 2 != 0) }

  package init(ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
    (self.ignoresCase, self.ignoresDiacritics) = (ignoresCase, ignoresDiacritics)
  }

  var name: String { "modelctl_string_\(flags)" }

  var options: String.CompareOptions {
    var options: String.CompareOptions = []
    if ignoresCase { options.insert(.caseInsensitive) }
    if ignoresDiacritics { options.insert(.diacriticInsensitive) }
    return options
  }

  /// The order of two texts.
  package func compare(_ first: String, _ second: String) -> ComparisonResult {
    first.compare(second, options: options)
  }

  /// Returns a text without the differences that the options ignore.
  ///
  /// Foundation needs twenty times as long for ASCII as lowercasing, which gives the same result.
  func folded(_ text: String) -> String {
    guard flags != 0 else { return text }
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return ignoresCase ? text.lowercased() : text }
    return text.folding(options: options, locale: nil)
  }

  /// Returns the left side of a comparison; without options, texts are equal if their characters are equal.
  ///
  /// SQLite takes a collation from any part of either side, such as from a comparison within `CASE`, unless the left
  /// side names one.
  func applied(to piece: ExpressionPiece, isOrdered: Bool, beside others: SQLStatement...) -> SQLStatement {
    guard piece.type.isText, piece.type != .null, isOrdered || flags != 0 else {
      let isForeign = piece.type.isText && ([piece.sql] + others).contains { $0.text.contains(" COLLATE ") }
      return isForeign ? "\(piece.sql) COLLATE BINARY" : piece.sql
    }
    if piece.type == .unknown && flags == 0 { return piece.sql }
    return "\(piece.sql) COLLATE \(name: name)"
  }
}
