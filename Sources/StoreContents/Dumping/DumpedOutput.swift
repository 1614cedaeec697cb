/// A dump that is given away as it comes, the last piece only when the reading is known to be good.
final class DumpedOutput {
  /// True when a piece is given away, so that the dump cannot begin again.
  private(set) var isGivenAway = false
  private var pending: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void

  init(_ sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

  /// Begins, or begins again.
  func begin() -> DumpStream {
    pending = []
    return DumpStream { bytes in
      try self.finish()
      self.pending = bytes
    }
  }

  /// Gives the last piece away.
  func finish() throws {
    guard !pending.isEmpty else { return }
    isGivenAway = true
    try sink(pending)
    pending = []
  }
}
