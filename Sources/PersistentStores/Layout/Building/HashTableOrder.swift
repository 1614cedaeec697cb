/// The order of names in the buckets of a hash table with linear probing, as that of Core Foundation's dictionaries.
///
/// Source: spec/sqlite-store-layout.md §7.2; the sizes are the primes of the published Core Foundation. That probing goes
/// downward was measured: only so do all names of join tables and all orders of the corpus follow.
struct HashTableOrder {
  /// The size of the table and how many elements fill it.
  private static let sizes: [(buckets: Int, capacity: Int)] = [
    (3, 3), (7, 6), (13, 11), (23, 19), (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237),
    (631, 390), (1087, 672), (1723, 1065),
  ]

  /// The names in the order of the buckets.
  let names: [String]

  /// Puts names into a table one after the other.
  ///
  /// - Parameters:
  ///   - names: the names, each once.
  ///   - extra: for how many more names than there are the table has room.
  init(of names: [String], withRoomFor extra: Int = 0) {
    let count = names.count + extra
    let size = Self.sizes.first { count <= $0.capacity }?.buckets ?? count * 2 + 1
    var buckets = [String?](repeating: nil, count: size)
    for name in names {
      var bucket = Int(StringHash.hash(of: name) % UInt64(size))
      while buckets[bucket] != nil { bucket = (bucket + size - 1) % size }
      buckets[bucket] = name
    }
    self.names = buckets.compactMap { $0 }
  }
}
