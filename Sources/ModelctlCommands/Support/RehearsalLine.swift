import Foundation
import ModelKit

/// Shows how far a rehearsal is: one redrawn line on a terminal, a plain line every few seconds elsewhere.
final class RehearsalLine {
  private let redraws = Console.canRedraw
  private var lastShown = Date()
  private var hasLine = false

  func show(_ progress: RehearsalProgress, of bundle: String) {
    let now = Date()
    guard now.timeIntervalSince(lastShown) >= (redraws ? 0.1 : 5) else { return }
    lastShown = now
    let step = progress.path?.rawValue ?? "making the store"
    let text = "\(bundle): \(progress.source), \(progress.position) of \(progress.count): \(step)"
    if redraws { Console.redraw(text) } else { Console.standardError("\(text)\n") }
    hasLine = redraws
  }

  /// Takes the line away, so that what follows stands alone.
  func finish() {
    if hasLine { Console.redraw("") }
    hasLine = false
  }
}
