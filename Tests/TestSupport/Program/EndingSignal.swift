import Foundation

/// The signals that end a program.
package enum EndingSignal {
  /// Those that a program which these tests start takes: the closing of the terminal is not among them where this
  /// process was started with it ignored, as `nohup` does.
  package static let all: [Int32] = {
    var hangup = sigaction()
    sigaction(SIGHUP, nil, &hangup)
    #if canImport(Darwin)
      let handler = hangup.__sigaction_u.__sa_handler
    #else
      let handler = hangup.__sigaction_handler.sa_handler
    #endif
    return [SIGINT, SIGTERM] + (unsafeBitCast(handler, to: UInt.self) == 1 ? [] : [SIGHUP])
  }()
}
