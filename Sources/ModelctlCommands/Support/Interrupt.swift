import Dispatch
import Foundation

/// Records Ctrl-C, a closed terminal, or a request to end, so that work can stop at a safe point.
///
/// Long work asks for it often. On a terminal, these moments also show how long the work takes.
final class Interrupt: @unchecked Sendable {
  private let lock = NSLock()
  private var wasRaised = false
  private var sources: [any DispatchSourceSignal] = []
  private var work: (words: String, start: Date, line: ProgressLine)?

  /// Starts to listen, so that these signals no longer end the process.
  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number, SIG_IGN)
      // `nohup` ignores the signal of a closed terminal.
      if number == SIGHUP, Self.isIgnored(former) { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.raise() }
      source.resume()
      sources.append(source)
    }
  }

  private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: UInt.self) == 1
  }

  /// Stops listening, so that these signals end the process again.
  func stop() {
    for number in sources.map({ Int32($0.handle) }) { signal(number, SIG_DFL) }
    for source in sources { source.cancel() }
    sources = []
  }

  private func raise() {
    lock.lock()
    wasRaised = true
    lock.unlock()
  }

  /// True after a signal.
  var isRaised: Bool {
    lock.withLock {
      if let work { work.line.show(work.words, since: work.start) }
      return wasRaised
    }
  }

  /// Runs work, and shows on a terminal how long it takes.
  ///
  /// - Parameter words: the store and the work, such as `shop.sqlite: verifying`.
  func showingTime<Value>(of words: String, _ run: () throws -> Value) rethrows -> Value {
    // Other threads do not know the style.
    guard Terminal.canRedraw, !TextStyle.current.isQuiet else { return try run() }
    lock.withLock { work = (words, Date(), ProgressLine()) }
    defer {
      lock.withLock {
        work?.line.finish()
        work = nil
      }
    }
    return try run()
  }
}
