import ModelDescription

/// A number with its unit in the right grammatical number: `1 row`, `1,000,000 rows`.
package enum Quantity {
  /// Writes a number with its unit.
  ///
  /// - Parameter plural: the plural of the unit; nil to append an s.
  package static func text(_ number: Int, _ unit: String, _ plural: String? = nil) -> String {
    "\(grouped(Int64(number))) \(number == 1 ? unit : plural ?? unit + "s")"
  }

  /// A size in the largest unit that leaves no fraction out of sight: `512 bytes`, `56 KiB`, `1.2 GiB`.
  package static func bytes(_ count: Int64) -> String {
    var size = Double(count)
    var unit = "bytes"
    let units =
      TextWidth.isSpoken ? ["kibibytes", "mebibytes", "gibibytes", "tebibytes"] : ["KiB", "MiB", "GiB", "TiB"]
    for larger in units where size >= 1024 { (size, unit) = (size / 1024, larger) }
    let tenths = (size * 10).rounded() / 10
    let isWhole = tenths == tenths.rounded()
    return "\(isWhole ? String(Int64(tenths)) : String(tenths)) \(unit)"
  }

  package static func grouped(_ number: Int64) -> String {
    let digits = Array(String(number.magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max($0 - 3, 0)..<$0]) }
    return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}

/// A duration as people write it: `0.4 s`, `1 min 32 s`, `2 h 5 min`.
public enum ElapsedTime {
  /// Writes a length of time.
  ///
  /// - Parameter seconds: how long; below 0 counts as 0.
  public static func text(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "more than 30 years" }
    let seconds = max(0, seconds)
    if seconds < 10 { return "\((seconds * 10).rounded() / 10) s" }
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(Quantity.grouped(Int64(whole / 3600))) h \(whole % 3600 / 60) min"
  }
}
