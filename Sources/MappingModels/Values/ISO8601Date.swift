/// Reads dates of ISO 8601's calendar form without the time zone and locale of the machine.
enum ISO8601Date {
  /// Days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323

  /// Seconds since 2001-01-01T00:00:00Z of `YYYY-MM-DD` with an optional time and zone; without a zone it is UTC.
  static func secondsSinceReferenceDate(_ text: String) -> Double? {
    var scanner = Scanner(text)
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
      let day = scanner.digits(2), let days = days(year: year, month: month, day: day)
    else { return nil }
    let midnight = Double((days - referenceDay) * 86_400)
    if scanner.isAtEnd { return midnight }
    guard scanner.take("T") || scanner.take(" "), let hour = scanner.digits(2), hour < 24, scanner.take(":"),
      let minute = scanner.digits(2), minute < 60
    else { return nil }
    var seconds = 0.0
    if scanner.take(":") {
      guard let whole = scanner.digits(2), whole < 60 else { return nil }
      seconds = Double(whole)
      if scanner.take(".") {
        guard let fraction = scanner.fraction() else { return nil }
        seconds += fraction
      }
    }
    guard let offset = scanner.zone(), scanner.isAtEnd else { return nil }
    return midnight + Double(hour * 3600 + minute * 60 - offset) + seconds
  }

  /// `YYYY-MM-DDThh:mm:ssZ` of whole seconds since 2001-01-01T00:00:00Z in the years 1 to 9999, else nil.
  static func text(of seconds: Double) -> String? {
    guard seconds.rounded() == seconds, abs(seconds) < 400_000_000_000, !(seconds == 0 && seconds.sign == .minus) else {
      return nil
    }
    let whole = Int(seconds)
    let day = Int((Double(whole) / 86_400).rounded(.down))
    let second = whole - day * 86_400
    guard let date = date(ofDay: day + referenceDay), (1...9999).contains(date.year) else { return nil }
    let numbers = [
      (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (second / 3600, 2, ":"),
      (second / 60 % 60, 2, ":"), (second % 60, 2, "Z"),
    ]
    return numbers.map { number, width, mark in
      let digits = String(number)
      return String(repeating: "0", count: max(width - digits.count, 0)) + digits + mark
    }.joined()
  }

  /// The calendar day so many days after 1970-01-01.
  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int)? {
    let shifted = day + 719_468
    guard shifted >= 0 else { return nil }
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  private static func days(year: Int, month: Int, day: Int) -> Int? {
    guard year >= 1, (1...12).contains(month), day >= 1, day <= length(of: month, in: year) else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }

  /// Takes a date apart from the front.
  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == mark.value else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digits(_ count: Int) -> Int? {
      guard rest.count >= count else { return nil }
      var value = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// At most nine digits, so that nothing overflows.
    mutating func fraction() -> Double? {
      var value = 0.0
      var scale = 0.1
      var count = 0
      while count < 9, let digit = digit() {
        value += Double(digit) * scale
        scale /= 10
        count += 1
      }
      return count == 0 ? nil : value
    }

    /// The zone's offset from UTC in seconds; none means UTC.
    mutating func zone() -> Int? {
      if isAtEnd || take("Z") { return 0 }
      let sign: Int
      if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
      guard let hours = digits(2), hours < 24 else { return nil }
      _ = take(":")
      guard let minutes = digits(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func digit() -> Int? {
      guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
      rest.removeFirst()
      return Int(first - UInt8(ascii: "0"))
    }
  }
}
