import Foundation
import MappingModels

extension ReferenceEvaluator {
  func function(_ name: String, _ values: [ReferenceValue]) throws -> ReferenceValue {
    if name == "now" { return .date(now) }
    let isOverCollection = ["count:", "sum:", "average:", "min:", "max:"].contains(name)
    if isOverCollection, let members = values.first?.members ?? (values.first == .null ? [] : nil) {
      switch name {
      case "count:": return .integer(Int64(members.filter { !$0.isNull }.count))
      case "sum:": return try follow(["@sum", "self"], from: .list(members.filter { !$0.isNull }))
      case "average:": return try follow(["@avg", "self"], from: .list(members.filter { !$0.isNull }))
      case "min:": return try follow(["@min", "self"], from: .list(members))
      case "max:": return try follow(["@max", "self"], from: .list(members))
      default: throw ReferenceFailure.unsupported(name)
      }
    }
    if values.contains(.null) { return .null }
    if values.count == 2 { return try arithmetic(name, values[0], values[1]) }
    if case .text(let text)? = values.first {
      switch name {
      case "uppercase:": return .text(text.uppercased())
      case "lowercase:": return .text(text.lowercased())
      case "canonical:":
        return .text(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
      case "length:": return .integer(Int64(text.utf16.count))
      default: throw ReferenceFailure.unsupported(name)
      }
    }
    guard let value = values.first, let number = value.number else { throw ReferenceFailure.unsupported(name) }
    if let whole = value.whole {
      switch name {
      case "trunc:", "floor:", "ceiling:": return .integer(whole)
      case "abs:":
        guard whole != .min else { throw ReferenceFailure.overflow }
        return .integer(abs(whole))
      default: break
      }
    }
    let result: Double
    switch name {
    case "trunc:": result = number.rounded(.towardZero)
    case "floor:": result = number.rounded(.down)
    case "ceiling:": result = number.rounded(.up)
    case "abs:": result = abs(number)
    case "sqrt:": result = sqrt(number)
    case "ln:": result = log(number)
    case "log:": result = log10(number)
    case "exp:": result = exp(number)
    default: throw ReferenceFailure.unsupported(name)
    }
    guard result.isFinite else { throw ReferenceFailure.noNumber }
    return .real(result)
  }

  private func arithmetic(_ name: String, _ one: ReferenceValue, _ two: ReferenceValue) throws -> ReferenceValue {
    if case .text(let first) = one, case .text(let second) = two { return .text(first + second) }
    if name != "raise:toPower:", let first = one.whole, let second = two.whole {
      return .integer(try whole(name, first, second))
    }
    guard let first = one.number, let second = two.number else { throw ReferenceFailure.unsupported(name) }
    switch name {
    case "add:to:": return .real(first + second)
    case "from:subtract:": return .real(first - second)
    case "multiply:by:": return .real(first * second)
    case "divide:by:":
      guard second != 0 else { throw ReferenceFailure.divisionByZero }
      return .real(first / second)
    case "raise:toPower:":
      let power = pow(first, second)
      guard power.isFinite else { throw ReferenceFailure.noNumber }
      return .real(power)
    default: throw ReferenceFailure.unsupported(name)
    }
  }

  private func whole(_ name: String, _ one: Int64, _ two: Int64) throws -> Int64 {
    if ["divide:by:", "modulus:by:"].contains(name), two == 0 { throw ReferenceFailure.divisionByZero }
    let (result, overflows) =
      switch name {
      case "add:to:": one.addingReportingOverflow(two)
      case "from:subtract:": one.subtractingReportingOverflow(two)
      case "multiply:by:": one.multipliedReportingOverflow(by: two)
      case "divide:by:": one.dividedReportingOverflow(by: two)
      case "modulus:by:": two == -1 ? (0, false) : one.remainderReportingOverflow(dividingBy: two)
      default: throw ReferenceFailure.unsupported(name)
      }
    guard !overflows else { throw ReferenceFailure.overflow }
    return result
  }
}
