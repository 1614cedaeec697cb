/// Memory for the bytes of one value, which is used again for the next.
final class ReusedBytes {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity = 256

  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  /// Memory of at least so many bytes; what was in it is gone.
  func room(for count: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity < count {
      start.deallocate()
      capacity = max(count, 2 * capacity)
      start = .allocate(capacity: capacity)
    }
    return start
  }
}
