/// Pairs the named elements of two versions by their canonical names, then by their names.
struct CanonicalPairing {
  /// An element with a name and an optional renaming identifier.
  struct Item: Hashable {
    let name: String
    let identifier: String?

    init(name: String, identifier: String?) {
      self.name = name
      self.identifier = identifier.flatMap { $0.isEmpty ? nil : $0 }
    }

    var canonicalName: String { identifier ?? name }
  }

  /// Several elements that match by the same name.
  struct Conflict: Hashable {
    let claimedName: String
    let sources: [String]
    let destinations: [String]
  }

  /// The source name of each paired destination.
  private(set) var sourceNames: [String: String] = [:]
  /// The ambiguous matches, in the order in which they were found.
  private(set) var conflicts: [Conflict] = []
  private var freeSources: [Item]
  private var freeDestinations: [Item]

  /// Pairs in four rounds: canonical names; identifier with name; name with canonical name; name with name.
  ///
  /// Without identifiers, which is the usual case, every round would pair by the names.
  init(from sources: [Item], to destinations: [Item]) {
    if let names = Self.names(of: sources), let wanted = Self.names(of: destinations) {
      for name in wanted {
        // The characters of the source are kept, because “é” has two encodings.
        if let position = names.firstIndex(of: name) { sourceNames[name] = names[position] }
      }
      (freeSources, freeDestinations) = ([], [])
      return
    }
    freeSources = sources.sorted { $0.name < $1.name }
    freeDestinations = destinations.sorted { $0.name < $1.name }
    pair(by: { $0.canonicalName }, with: { $0.canonicalName })
    pair(by: { $0.identifier }, with: { $0.name })
    pair(by: { $0.identifier == nil ? nil : $0.name }, with: { $0.canonicalName })
    pair(by: { $0.name }, with: { $0.name })
  }

  /// The names; nil if an element has an identifier, or two elements have the same name.
  private static func names(of items: [Item]) -> Set<String>? {
    var names = Set<String>(minimumCapacity: items.count)
    for item in items where item.identifier != nil || !names.insert(item.name).inserted { return nil }
    return names
  }

  private mutating func pair(by destinationKey: (Item) -> String?, with sourceKey: (Item) -> String) {
    let sources = Dictionary(grouping: freeSources, by: sourceKey)
    var destinations: [String: [Item]] = [:]
    for item in freeDestinations {
      if let key = destinationKey(item) { destinations[key, default: []].append(item) }
    }
    var settledSources: Set<String> = []
    var settledDestinations: Set<String> = []
    for (key, claimants) in destinations.sorted(by: { $0.key < $1.key }) {
      guard let claimed = sources[key] else { continue }
      if claimants.count == 1, claimed.count == 1 {
        sourceNames[claimants[0].name] = claimed[0].name
      } else {
        let names = Set(claimed.map(\.name))
        for claimant in claimants where names.contains(claimant.name) { sourceNames[claimant.name] = claimant.name }
        conflicts.append(Conflict(claimedName: key, sources: claimed.map(\.name), destinations: claimants.map(\.name)))
      }
      settledSources.formUnion(claimed.map(\.name))
      settledDestinations.formUnion(claimants.map(\.name))
    }
    freeSources.removeAll { settledSources.contains($0.name) }
    freeDestinations.removeAll { settledDestinations.contains($0.name) }
  }
}
