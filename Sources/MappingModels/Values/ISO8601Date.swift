/// Reads and writes dates of ISO 8601's calendar form, independent of the machine's time zone and locale.
package enum ISO8601Date {
  /// Days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323
  /// The days of 400 years, the period of the calendar.
  private static let era = 146_097
  /// The first second of the year 0, since 2001-01-01T00:00:00Z; years of four digits begin with it.
  package static let firstSecond: Int64 = -63_145_526_400
  /// The first second after the year 9999.
  package static let endSecond: Int64 = 252_423_993_600

  /// Seconds since 2001-01-01T00:00:00Z of `YYYY-MM-DD` with an optional time and zone; without a zone it is UTC.
  ///
  /// - Returns: the nearest number to the moment, nil for any other text.
  package static func secondsSinceReferenceDate(_ text: String) -> Double? { seconds(in: text.utf8)?.double }

  /// Returns the seconds with every digit of the text.
  ///
  /// - Parameter text: the text in UTF-8.
  /// - Returns: the moment; nil for a text that is not a date.
  package static func seconds(in text: some Collection<UInt8>) -> DecimalNumeral? {
    var scanner = ISO8601DateScanner(text)
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
      let day = scanner.digits(2), let days = days(year: year, month: month, day: day)
    else { return nil }
    let midnight = (days - referenceDay) * 86_400
    if scanner.isAtEnd { return moment(midnight, []) }
    guard scanner.take("T") || scanner.takeSpaces(), let hour = scanner.digits(2), hour < 24, scanner.take(":"),
      let minute = scanner.digits(2), minute < 60
    else { return nil }
    var second = 0
    var fraction: [UInt8] = []
    if scanner.take(":") {
      guard let whole = scanner.digits(2), whole < 60 else { return nil }
      second = whole
      if scanner.take(".") {
        fraction = scanner.fraction()
        if fraction.isEmpty { return nil }
      }
    }
    guard let offset = scanner.zone(), scanner.isAtEnd else { return nil }
    return moment(midnight + hour * 3600 + minute * 60 - offset + second, fraction)
  }

  /// Returns a moment from whole seconds and the digits of a fraction.
  private static func moment(_ whole: Int, _ fraction: [UInt8]) -> DecimalNumeral {
    guard whole < 0, fraction.contains(where: { $0 != 0 }) else {
      return numeral(isNegative: whole < 0, whole.magnitude, fraction)
    }
    return numeral(isNegative: true, (whole + 1).magnitude, complement(of: fraction))
  }

  private static func numeral(isNegative: Bool, _ whole: UInt, _ fraction: [UInt8]) -> DecimalNumeral {
    let digits = "\(whole)".utf8.map { $0 - UInt8(ascii: "0") } + fraction
    return DecimalNumeral(isNegative: isNegative, digits: digits, exponent: -fraction.count)
  }

  /// Returns the digits of one minus a fraction.
  private static func complement(of fraction: [UInt8]) -> [UInt8] {
    var digits = fraction
    while digits.last == 0 { digits.removeLast() }
    guard let last = digits.popLast() else { return [] }
    return digits.map { 9 - $0 } + [10 - last]
  }

  /// Returns `YYYY-MM-DDThh:mm:ss.fffZ` in the years 0 to 9999, with enough digits to identify the moment.
  ///
  /// - Parameter seconds: since 2001-01-01T00:00:00Z.
  /// - Returns: the text from which ``secondsSinceReferenceDate(_:)`` gives the same number; nil in other years.
  package static func exactText(of seconds: Double) -> String? {
    guard let start = text(of: seconds.rounded(.down) + 0) else { return nil }
    let description = seconds.description
    if seconds >= 1, let point = description.utf8.firstIndex(of: UInt8(ascii: ".")),
      !description.utf8.contains(UInt8(ascii: "e"))
    {
      let fraction = description[description.utf8.index(after: point)...]
      return "\(start.dropLast()).\(fraction)\(String(repeating: "0", count: max(3 - fraction.utf8.count, 0)))Z"
    }
    guard let numeral = DecimalNumeral(description.utf8) else { return nil }
    let fraction = numeral.isNegative ? complement(of: numeral.fraction) : numeral.fraction
    let digits = fraction.map { String($0) }.joined()
    return "\(start.dropLast()).\(digits)\(String(repeating: "0", count: max(3 - fraction.count, 0)))Z"
  }

  /// Returns the shortest text that gives a moment exactly; nil if no text does.
  package static func losslessText(of seconds: Double) -> String? {
    guard seconds.isFinite, !(seconds == 0 && seconds.sign == .minus) else { return nil }
    return text(of: seconds) ?? exactText(of: seconds)
  }

  /// Returns `YYYY-MM-DDThh:mm:ssZ` of whole seconds since 2001-01-01T00:00:00Z in the years 0 to 9999, or nil.
  package static func text(of seconds: Double) -> String? {
    guard seconds.rounded() == seconds, abs(seconds) < 400_000_000_000, !(seconds == 0 && seconds.sign == .minus) else {
      return nil
    }
    let whole = Int(seconds)
    let day = Int((Double(whole) / 86_400).rounded(.down))
    let second = whole - day * 86_400
    guard let date = date(ofDay: day + referenceDay), (0...9999).contains(date.year) else { return nil }
    return String(unsafeUninitializedCapacity: 20) { bytes in
      var position = 0
      func append(_ number: Int, _ width: Int, _ mark: Unicode.Scalar) {
        var rest = number
        for digit in (position..<position + width).reversed() {
          bytes[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        bytes[position + width] = UInt8(ascii: mark)
        position += width + 1
      }
      append(date.year, 4, "-")
      append(date.month, 2, "-")
      append(date.day, 2, "T")
      append(second / 3600, 2, ":")
      append(second / 60 % 60, 2, ":")
      append(second % 60, 2, "Z")
      return position
    }
  }

  /// The calendar day so many days after 1970-01-01.
  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int)? {
    // Adds one era, so that the division in the year 0 has no sign.
    let shifted = day + 719_468 + Self.era
    guard shifted >= 0 else { return nil }
    let era = shifted / Self.era
    let dayOfEra = shifted - era * Self.era
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      year: yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  private static func days(year: Int, month: Int, day: Int) -> Int? {
    guard year >= 0, (1...12).contains(month), day >= 1, day <= length(of: month, in: year) else { return nil }
    let shifted = (month > 2 ? year : year - 1) + 400
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era - 1) * Self.era + dayOfEra - 719_468
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }
}

/// Reads a date of ISO 8601 from the front.
struct ISO8601DateScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: some Collection<UInt8>) { rest = Array(text)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == mark.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func takeSpaces() -> Bool {
    let oldCount = rest.count
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    return rest.count < oldCount
  }

  mutating func digits(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  mutating func fraction() -> [UInt8] {
    var digits: [UInt8] = []
    while let digit = digit() { digits.append(digit) }
    return digits
  }

  /// Reads the zone's offset from UTC in seconds, after spaces; a missing zone means UTC.
  mutating func zone() -> Int? {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    if isAtEnd || take("Z") || take("z") { return 0 }
    let sign: Int
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private mutating func digit() -> UInt8? {
    guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
    rest.removeFirst()
    return first - UInt8(ascii: "0")
  }
}
