/// Core Foundation's hash of a string, on which the visiting order of Core Data's dictionaries rests.
///
/// Source: `__CFStrHashCharacters` of the published Core Foundation: 257-ary over the UTF-16 code units, of which a
/// string of more than 96 gives 32 at its start, middle and end.
enum StringHash {
  static func hash(of string: String) -> UInt64 {
    let units = Array(string.utf16)
    var result = UInt64(units.count)
    for unit in sample(of: units) {
      result = result &* 257 &+ UInt64(unit)
    }
    return result &+ (result &<< UInt64(units.count & 31))
  }

  private static func sample(of units: [UInt16]) -> [UInt16] {
    guard units.count > 96 else { return units }
    let middle = units.count / 2 - 16
    return Array(units.prefix(32)) + Array(units[middle..<(middle + 32)]) + Array(units.suffix(32))
  }
}
