import Foundation
import ModelKit

/// Shows how far a migration is: one redrawn line on a terminal, a plain line every few seconds elsewhere.
final class ProgressLine {
  private let store: String
  private let redraws = Console.canRedraw
  private var lastShown = Date()
  private var hasLine = false

  init(store: String) { self.store = store }

  func show(_ progress: MigrationProgress) {
    let now = Date()
    guard now.timeIntervalSince(lastShown) >= (redraws ? 0.1 : 3) else { return }
    lastShown = now
    let text = "\(store): \(progress.phase.rawValue) \(Int(progress.fraction * 100)) %"
    if redraws { Console.redraw(text) } else { Console.standardError("\(text)\n") }
    hasLine = redraws
  }

  /// Takes the line away, so that what follows stands alone.
  func finish() {
    if hasLine { Console.redraw("") }
    hasLine = false
  }
}
