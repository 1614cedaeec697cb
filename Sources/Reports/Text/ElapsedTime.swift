/// A length of time as people say it: `0.4 s`, `1 min 32 s`, `2 h 5 min`.
public enum ElapsedTime {
  /// Writes a length of time.
  ///
  /// - Parameter seconds: how long; below 0 counts as 0.
  /// - Returns: the time with its unit.
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
