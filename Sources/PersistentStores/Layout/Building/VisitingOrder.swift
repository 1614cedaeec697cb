/// The order in which Core Data visits the relationships of an entity when it names join tables.
///
/// It is the order of the buckets of a hash table with linear probing that holds the relationship names; the sizes are
/// the primes of the published Core Foundation. Of two relationships that are each other's inverse on one entity the
/// later visited one names the join table, which is right for 245 of the 267 tables of the stores it was checked with.
struct VisitingOrder {
  /// The size of the table and how many elements fill it.
  private static let sizes: [(buckets: Int, capacity: Int)] = [
    (3, 3), (7, 6), (13, 11), (23, 19), (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237),
    (631, 390), (1087, 672), (1723, 1065),
  ]

  /// The names in visiting order.
  let names: [String]

  /// Orders the names of all relationships of one entity, inherited ones included.
  init(of names: some Sequence<String>) {
    let sorted = Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let size = Self.sizes.first { sorted.count <= $0.capacity }?.buckets ?? sorted.count * 2 + 1
    var buckets = [String?](repeating: nil, count: size)
    for name in sorted {
      var bucket = Int(StringHash.hash(of: name) % UInt64(size))
      while buckets[bucket] != nil { bucket = (bucket + 1) % size }
      buckets[bucket] = name
    }
    self.names = buckets.compactMap { $0 }
  }
}
