import Foundation
import MappingModels

/// Ends a piece of work whose regular expressions try more ways to match, over all values, than can be tried.
package struct PatternSumError: Error, Hashable, CustomStringConvertible {
  package var description: String {
    "the regular expressions of the model try more ways to match, over all values, than can be tried; write them without "
      + "nested repetition, such as a+ and not (a+)+"
  }
}

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

  /// How many reports all matches together may take, some ten seconds: a match that ends soon makes none.
  package static let usualSumLimit = 20 * reportLimit

  private let sumLimit: Int
  private let lock = NSLock()
  private var sum = 0
  private var known: [Key: NSRegularExpression] = [:]

  /// Knows none yet.
  ///
  /// - Parameter sumLimit: how many reports all matches together may take.
  package init(sumLimit: Int = usualSumLimit) { self.sumLimit = sumLimit }

  /// True when a pattern matches the whole text; one that is no expression, or does not end, matches nothing.
  package func matchesWhole(_ text: String, _ pattern: String) -> Bool {
    (try? matches(text, pattern, StringCollation(flags: 0))) ?? false
  }

  /// True when the matches together have tried as many ways as may be tried; each further one is given up at once.
  package var isUsedUp: Bool { lock.withLock { sum > sumLimit } }

  /// Checks that no match was given up for the sake of those before it, so that the answers are those of the texts.
  package func checkSum() throws(PatternSumError) { if isUsedUp { throw PatternSumError() } }

  func matches(_ text: String, _ pattern: String, _ collation: StringCollation) throws(PatternError) -> Bool {
    let expression = try expression(pattern, collation)
    if isUsedUp { throw .endless(pattern: pattern) }
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
    if reports > 0 { lock.withLock { sum += reports } }
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
