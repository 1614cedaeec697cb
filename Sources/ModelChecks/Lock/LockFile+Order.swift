import ModelFiles

extension LockFile {
  /// The versions in the order that is recorded, oldest first; empty when the file does not say it.
  ///
  /// A version follows the one that its entry names, else the one before it by name among those of its stem. Where that
  /// leaves several versions that follow none, as in a file of two stems that says no more, there is no order.
  var recordedOrder: [String] {
    let parents = naturalPredecessors.merging(entries.compactMapValues(\.predecessor)) { $1 }
    let firsts = entries.keys.filter { parents[$0] == nil }
    guard firsts.count == 1, let first = firsts.first else { return [] }
    var children: [String: [String]] = [:]
    for name in VersionOrder.sorted(parents.keys) { children[parents[name] ?? "", default: []].append(name) }
    var order: [String] = []
    var open = [first]
    while let name = open.popLast() {
      order.append(name)
      let next = children[name] ?? []
      // What is taken last comes first: a version of the same stem, then those of other stems.
      let stem = VersionSequence.stem(of: name)
      open += next.filter { VersionSequence.stem(of: $0) != stem }.reversed()
      open += next.filter { VersionSequence.stem(of: $0) == stem }.reversed()
    }
    return order.count == entries.count ? order : []
  }

  /// Writes down which version came before each, where the names do not say so and something else does.
  mutating func recordOrder(_ sequence: VersionSequence) {
    let natural = naturalPredecessors
    let order = sequence.names.filter { entries[$0] != nil }
    for (earlier, later) in zip(order, order.dropFirst()) where sequence.isOrdered(earlier, before: later) == true {
      entries[later]?.predecessor = natural[later] == earlier ? nil : earlier
    }
    if let first = order.first, let other = entries[first]?.predecessor, entries[other] == nil {
      entries[first]?.predecessor = nil
    }
  }

  /// The versions that are among those before them, as far as their entries name the one before.
  var followed: Set<String> {
    let natural = naturalPredecessors
    return Set(
      entries.keys.filter { name in
        var seen: Set<String> = [name]
        var earlier = entries[name]?.predecessor
        while let next = earlier {
          guard seen.insert(next).inserted else { return true }
          earlier = entries[next]?.predecessor ?? natural[next]
        }
        return false
      })
  }

  /// The version before each by name, among the entries of its stem.
  private var naturalPredecessors: [String: String] {
    var last: [String: String] = [:]
    var found: [String: String] = [:]
    for name in VersionOrder.sorted(entries.keys) {
      let earlier = last.updateValue(name, forKey: VersionSequence.stem(of: name))
      if let earlier { found[name] = earlier }
    }
    return found
  }
}
