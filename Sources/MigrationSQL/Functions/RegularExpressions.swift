import Foundation
import MappingModels

/// The regular expressions of one connection, each read once.
///
/// A match that does not end is given up: ICU reports every ten thousand steps or so, and after ``reportLimit`` reports
/// it is stopped. (Left alone, Foundation gives up after twice as many and says that nothing matches.)
package final class RegularExpressions: @unchecked Sendable {
  /// Why there is no answer.
  enum PatternError: Error, Hashable, CustomStringConvertible {
    case invalid(pattern: String)
    case endless(pattern: String)
    case beyondMemory(pattern: String)

    var description: String {
      switch self {
      case .invalid(let pattern): "“\(pattern.prefix(80))” is no regular expression"
      case .endless(let pattern):
        "“\(pattern.prefix(80))” tries more ways to match than can be tried; write it without nested repetition"
      case .beyondMemory(let pattern): "“\(pattern.prefix(80))” needs more memory for this text than ICU takes"
      }
    }
  }

  private struct Key: Hashable {
    let pattern: String
    let collation: StringCollation
  }

  /// How many reports a match may take, which is well under a second.
  static let reportLimit = 2_000
  private static let cacheLimit = 64

  private let lock = NSLock()
  private var known: [Key: NSRegularExpression] = [:]

  /// Knows none yet.
  package init() {}

  /// True when a pattern matches the whole text; one that is no expression, or does not end, matches nothing.
  package func matchesWhole(_ text: String, _ pattern: String) -> Bool {
    (try? matches(text, pattern, StringCollation(flags: 0))) ?? false
  }

  func matches(_ text: String, _ pattern: String, _ collation: StringCollation) throws(PatternError) -> Bool {
    let expression = try expression(pattern, collation)
    let text = collation.ignoresDiacritics ? StringCollation(ignoresDiacritics: true).folded(text) : text
    var reports = 0
    var isFound = false
    var isBroken = false
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion, .anchored],
      range: NSRange(location: 0, length: text.utf16.count)
    ) { match, flags, stop in
      if match != nil {
        isFound = true
        stop.pointee = true
      } else if flags.contains(.internalError) {
        isBroken = true
        stop.pointee = true
      } else if flags.contains(.progress) {
        reports += 1
        if reports > Self.reportLimit { stop.pointee = true }
      }
    }
    if isFound { return true }
    if reports > Self.reportLimit { throw .endless(pattern: pattern) }
    if isBroken { throw .beyondMemory(pattern: pattern) }
    return false
  }

  private func expression(_ pattern: String, _ collation: StringCollation) throws(PatternError) -> NSRegularExpression {
    let key = Key(pattern: pattern, collation: collation)
    lock.lock()
    defer { lock.unlock() }
    if let expression = known[key] { return expression }
    let folded = collation.ignoresDiacritics ? StringCollation(ignoresDiacritics: true).folded(pattern) : pattern
    let options: NSRegularExpression.Options = collation.ignoresCase ? .caseInsensitive : []
    guard folded.isEmpty || (try? NSRegularExpression(pattern: folded, options: options)) != nil,
      let expression = try? NSRegularExpression(pattern: WholeTextPattern.around(folded), options: options)
    else { throw .invalid(pattern: pattern) }
    if known.count >= Self.cacheLimit { known.removeAll() }
    known[key] = expression
    return expression
  }
}
