import Dispatch
import Foundation

/// Remembers that Ctrl-C was pressed, or that the process was asked to end, so that work can stop where it is safe.
final class Interrupt: @unchecked Sendable {
  private let lock = NSLock()
  private var wasRaised = false
  private var sources: [any DispatchSourceSignal] = []

  /// Starts listening; the process no longer ends by itself on these signals.
  init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.raise() }
      source.resume()
      sources.append(source)
    }
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
