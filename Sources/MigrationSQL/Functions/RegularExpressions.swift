import Foundation
import MappingModels

/// An error of work whose regular expressions try too many ways to match, counted over all values.
package struct PatternSumError: Error, Hashable, CustomStringConvertible {
  package var description: String {
    "the regular expressions of the model try too many ways to match over all values; write them without nested "
      + "repetition, such as a+ and not (a+)+"
  }
}

/// A cache of the regular expressions of one connection.
///
/// A match that takes too long is stopped: ICU reports about every ten thousand steps, and the match ends after
/// ``reportLimit`` reports. (Foundation itself gives up after twice as many reports, and finds no match.)
package final class RegularExpressions: @unchecked Sendable {
  /// The reason that a match lacks a result.
  enum PatternError: Error, Hashable, CustomStringConvertible {
    case invalid(pattern: String)
    case endless(pattern: String)
    case beyondMemory(pattern: String)

    var description: String {
      switch self {
      case .invalid(let pattern): "“\(pattern.prefix(80))” is not a valid regular expression"
      case .endless(let pattern):
        "“\(pattern.prefix(80))” tries too many ways to match; write it without nested repetition"
      case .beyondMemory(let pattern): "“\(pattern.prefix(80))” needs more memory for this text than ICU takes"
      }
    }
  }

  private struct Key: Hashable {
    let pattern: String
    let collation: StringCollation
  }

  /// The maximum number of reports of a match, well under a second.
  static let reportLimit = 2_000
  private static let cacheLimit = 64

  /// The maximum number of reports of all matches together, about ten seconds; a short match makes no report.
  package static let usualSumLimit = 20 * reportLimit

  private let sumLimit: Int
  private let lock = NSLock()
  private var sum = 0
  private var known: [Key: NSRegularExpression] = [:]

  /// Creates an empty cache.
  ///
  /// - Parameter sumLimit: the maximum number of reports of all matches together.
  package init(sumLimit: Int = usualSumLimit) { self.sumLimit = sumLimit }

  /// True if a pattern matches the complete text; false if it is not valid or takes too long.
  package func matchesWhole(_ text: String, _ pattern: String) -> Bool {
    (try? matches(text, pattern, StringCollation(flags: 0))) ?? false
  }

  /// True if the matches together have reached the limit; each further match is stopped immediately.
  package var isUsedUp: Bool { lock.withLock { sum > sumLimit } }

  /// Checks that no match was stopped because of earlier matches, so that every result depends only on its text.
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
