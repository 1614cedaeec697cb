/// The leaves that a binary property list has so far, by their bytes: two spellings of a text are not the same leaf.
///
/// A list may have millions, so that they lie in one array, at the place that their hash gives or the next free one.
struct BinaryPropertyListLeaves {
  /// The upper half of a leaf's hash and, in the lower half, its number and one; 0 where none is.
  private var slots: [UInt64] = Array(repeating: 0, count: 64)
  private var count = 0

  /// Finds a leaf with the same bytes, or adds this one.
  ///
  /// - Parameters:
  ///   - leaf: where its bytes are.
  ///   - bytes: those of the list so far.
  ///   - offsets: where each object of the list begins, by number.
  ///   - number: what the leaf has where it is new.
  /// - Returns: the number of the equal leaf, or the new one.
  mutating func number(
    ofLeaf leaf: Range<Int>, in bytes: UnsafeRawBufferPointer, offsets: [Int], orElse number: Int
  ) -> Int {
    let own = UnsafeRawBufferPointer(rebasing: bytes[leaf])
    var hasher = Hasher()
    hasher.combine(bytes: own)
    let hash = UInt64(UInt(bitPattern: hasher.finalize())) & Self.hashMask
    var slot = place(of: hash)
    while slots[slot] != 0 {
      if slots[slot] & Self.hashMask == hash {
        let other = Int(slots[slot] & ~Self.hashMask) - 1
        // Every leaf says where it ends, so that one is never the beginning of another.
        if bytes[offsets[other]..<leaf.lowerBound].starts(with: own) { return other }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = hash | UInt64(number + 1)
    count += 1
    if count * 2 > slots.count { grow() }
    return number
  }

  private static let hashMask: UInt64 = 0xFFFF_FFFF_0000_0000

  private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1) }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 {
      var slot = place(of: entry & Self.hashMask)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
