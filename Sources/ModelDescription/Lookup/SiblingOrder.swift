/// The order of entities among their siblings: by name without case, as Core Data numbers them.
struct SiblingOrder: Comparable {
  private let caseless: String
  private let name: String

  init(_ name: String) {
    (self.name, caseless) = (name, name.lowercased())
  }

  static func < (first: SiblingOrder, second: SiblingOrder) -> Bool {
    first.caseless == second.caseless
      ? first.name.precedesByBytes(second.name)
      : first.caseless.precedesByBytes(second.caseless)
  }
}
