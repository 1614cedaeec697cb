import Dispatch
import Foundation

/// Remembers that Ctrl-C was pressed, the terminal was closed, or the process was asked to end, so that work can stop where
/// it is safe.
final class Interrupt: @unchecked Sendable {
  private let lock = NSLock()
  private var wasRaised = false
  private var sources: [any DispatchSourceSignal] = []

  /// Starts listening; the process no longer ends by itself on these signals.
  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number, SIG_IGN)
      // `nohup` has the closing of the terminal ignored.
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

  /// Stops listening; the process ends by itself on these signals again.
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

  /// True once a signal has come.
  var isRaised: Bool {
    lock.lock()
    defer { lock.unlock() }
    return wasRaised
  }
}
