/// A number with its unit in the right grammatical number: `1 row`, `1,000,000 rows`.
package enum Quantity {
  /// Writes a number with its unit.
  ///
  /// - Parameters:
  ///   - number: how many.
  ///   - unit: the unit's name for one.
  ///   - plural: the unit's name for any other number; with an s when nil.
  /// - Returns: the number in groups of three digits, then the unit.
  package static func text(_ number: Int, _ unit: String, _ plural: String? = nil) -> String {
    "\(grouped(Int64(number))) \(number == 1 ? unit : plural ?? unit + "s")"
  }

  /// A size in the largest unit that leaves no fraction out of sight: `512 bytes`, `56 KiB`, `1.2 GiB`.
  static func bytes(_ count: Int64) -> String {
    var size = Double(count)
    var unit = "bytes"
    for larger in ["KiB", "MiB", "GiB", "TiB"] where size >= 1024 {
      (size, unit) = (size / 1024, larger)
    }
    let tenths = (size * 10).rounded() / 10
    let isWhole = tenths == tenths.rounded()
    return "\(isWhole ? String(Int64(tenths)) : String(tenths)) \(unit)"
  }

  static func grouped(_ number: Int64) -> String {
    let digits = Array(String(number.magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max($0 - 3, 0)..<$0]) }
    return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}
