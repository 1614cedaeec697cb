/// The order in which a dictionary of Foundation keeps names: by their hashes in a table with room for its entries.
///
/// Source: CFString.c, CFBasicHash.c of swift-corelibs-foundation; that Core Data's dictionary has 41 places for few entries
/// follows from the history of two entities.
struct FoundationOrder {
  /// How many places a table has, and how many entries it takes.
  private static let sizes = [
    (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237), (631, 390), (1087, 672),
  ]

  private let size: Int

  /// - Parameter entries: how many entries the dictionary has.
  init(entries: Int) {
    size = Self.sizes.first { entries <= $0.1 }?.0 ?? 1087
  }

  /// The names by their places; of two with one place the later one gets the next that is free.
  func ordered(_ names: [String]) -> [String] {
    var places: [Int: String] = [:]
    for name in names.prefix(size) {
      var place = Int(Self.hash(of: name) % UInt64(size))
      while places[place] != nil { place = (place + 1) % size }
      places[place] = name
    }
    return places.sorted { $0.key < $1.key }.map(\.value) + names.dropFirst(size)
  }

  /// What `CFStringHash` gives: of a long text its first, middle and last 32 characters count.
  private static func hash(of text: String) -> UInt64 {
    let units = Array(text.utf16)
    var hash = UInt64(units.count)
    func add(_ range: Range<Int>) {
      var rest = units[range]
      while rest.count >= 4 {
        let four = rest.prefix(4).map(UInt64.init)
        hash =
          hash &* 67_503_105 &+ four[0] &* 16_974_593 &+ four[1] &* 66_049 &+ four[2] &* 257 &+ four[3]
        rest = rest.dropFirst(4)
      }
      for unit in rest { hash = hash &* 257 &+ UInt64(unit) }
    }
    if units.count <= 96 {
      add(0..<units.count)
    } else {
      let middle = units.count / 2 - 16
      for start in [0, middle, units.count - 32] { add(start..<start + 32) }
    }
    return hash &+ hash << UInt64(units.count & 31)
  }
}
