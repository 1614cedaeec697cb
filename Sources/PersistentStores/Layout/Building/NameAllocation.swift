/// The names already given out in one namespace of SQL, which knows no case.
struct NameAllocation {
  private var taken: Set<String>

  init(taken: [String] = []) {
    self.taken = Set(taken.map { $0.uppercased() })
  }

  /// Gives out a name: the wanted one, else the first free of those with a suffix 1, 2, ….
  mutating func claim(_ wanted: String) -> String {
    var name = wanted
    var suffix = 0
    while !taken.insert(name.uppercased()).inserted {
      suffix += 1
      name = "\(wanted)\(suffix)"
    }
    return name
  }
}
