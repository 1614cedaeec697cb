import Foundation
import ModelKit

/// Shows the progress of long work.
///
/// On a terminal, it redraws one line. In a file or pipe, it prints a line every few seconds.
final class ProgressLine {
  private let redraws = Terminal.canRedraw
  private var lastShown = Date()
  private var hasLine = false

  func show(_ progress: MigrationProgress, of store: String) {
    show("\(store): \(progress.phase.rawValue) \(Int(progress.fraction * 100)) %", every: 3)
  }

  func show(_ progress: RehearsalProgress, of bundle: String) {
    let step = progress.path?.rawValue ?? "creating its store"
    show("\(bundle): \(progress.source), \(progress.position) of \(progress.count): \(step)", every: 5)
  }

  func show(_ progress: FleetProgress) {
    let failed = progress.failed > 0 ? ", \(progress.failed) failed" : ""
    let rate = progress.rate.map { ", \($0 < 10 ? ($0 * 10).rounded() / 10 : $0.rounded()) per second" } ?? ""
    let left = progress.secondsLeft.map { ", \(ElapsedTime.text($0)) left" } ?? ""
    show("\(progress.done) of \(progress.total) stores\(failed)\(rate)\(left)", every: 5)
  }

  func show(written rows: Int, of total: Int, to store: String) {
    show("\(store): \(Quantity.grouped(Int64(rows))) of \(Quantity.text(total, "row"))", every: 3)
  }

  func show(written bytes: Int64, to path: String) { show("\(path): \(Quantity.bytes(bytes)) written", every: 3) }

  func show(filesLookedAt files: Int, stores: Int) {
    show("searching for stores: \(stores) in \(files) files", every: 5)
  }

  /// Shows the version that modelctl records, only on a terminal, because the lines of the result follow soon.
  func show(recording version: String, of file: String, _ position: Int, _ count: Int) {
    guard redraws else { return }
    show("\(file): \(version), \(position) of \(count)", every: 0)
  }

  /// Shows how long work takes whose end cannot be known, from the first second on.
  func show(_ work: String, since start: Date) {
    let seconds = Date().timeIntervalSince(start)
    if seconds >= 1 { show("\(work), \(ElapsedTime.text(seconds.rounded(.down)))", every: 1) }
  }

  /// Clears the line, so that the next text starts on an empty line.
  func finish() {
    if hasLine { Console.redraw("") }
    hasLine = false
  }

  private func show(_ text: @autoclosure () -> String, every seconds: TimeInterval) {
    let now = Date()
    guard !TextStyle.current.isQuiet, now.timeIntervalSince(lastShown) >= (redraws ? 0.1 : seconds) else { return }
    lastShown = now
    if redraws { Console.redraw(text()) } else { Console.standardError("\(text())\n") }
    hasLine = redraws
  }
}
