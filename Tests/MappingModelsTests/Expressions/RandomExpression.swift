import Foundation
import MappingModels
import ModelDescription
import TestSupport

/// Makes expressions of every kind from a seed.
struct RandomExpression {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func expression(depth: Int) -> ValueExpression {
    if depth <= 1 || number(5) == 0 { return leaf() }
    let next = depth - 1
    switch number(17) {
    case 0...2: return .keyPath(names(1...3), of: expression(depth: next))
    case 3, 4: return .function(pick(Self.arithmetic), expressions(2...2, next))
    case 5: return knownFunction(next)
    case 6: return .function(pick(["reverse:", "uppercase", "add:to:", "now:", "", "a b"]), expressions(0...3, next))
    case 7:
      return .invocation(
        of: expression(depth: next), selector: pick(["sel:", "a:b:", "plain"]), arguments: expressions(0...3, next))
    case 8, 9: return .comparison(comparison(next))
    case 10: return .conjunction(expressions(2...4, next))
    case 11: return .disjunction(expressions(2...4, next))
    case 12: return .negation(expression(depth: next))
    case 13:
      return .conditional(
        expression(depth: next), then: expression(depth: next), else: expression(depth: next))
    case 14: return .cast(expression(depth: next), to: pick(["NSDate", "NSURL", "NSString", "NSNumber", "it's"]))
    case 15:
      return .subquery(
        of: expression(depth: next), variable: pick(["x", "in", "a b"]), where: expression(depth: next))
    default:
      return number(3) == 0
        ? .fetch(
          request: expression(depth: next), context: expression(depth: next), countsOnly: number(2) == 0)
        : .collection(expressions(0...3, next))
    }
  }

  private static let arithmetic = ["add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:"]

  private mutating func knownFunction(_ depth: Int) -> ValueExpression {
    let selector = pick(["uppercase:", "length:", "sum:", "now", "modulus:by:", "random"])
    let count = selector.filter { $0 == ":" }.count
    return .function(selector, expressions(count...count, depth))
  }

  private mutating func comparison(_ depth: Int) -> ExpressionComparison {
    ExpressionComparison(
      expression(depth: depth),
      pick(ExpressionComparison.Operator.allCases),
      expression(depth: depth),
      quantifier: pick(ExpressionComparison.Quantifier.allCases),
      ignoresCase: number(3) == 0,
      ignoresDiacritics: number(3) == 0
    )
  }

  private mutating func leaf() -> ValueExpression {
    switch number(8) {
    case 0: .null
    case 1: .selfObject
    case 2: .truth(number(2) == 0)
    case 3: .variable(pick(["source", "manager", "entityPolicy", "in", "a b", ""]))
    case 4: .keyPath(names(1...3), of: .variable("source"))
    case 5: .keyPath(names(1...2), of: .selfObject)
    default: .constant(constant())
    }
  }

  private mutating func constant() -> AttributeValue {
    switch number(12) {
    case 0: .integer(pick([0, 1, -1, .max, .min, Int64(truncatingIfNeeded: generator.next())]))
    case 1: .double(pick([0, -0.5, 1e300, .infinity, -.infinity, .leastNonzeroMagnitude]))
    case 2: .double(Double(Int64(truncatingIfNeeded: generator.next())) / 1024)
    case 3: .decimal(pick([0, 1.5, -2, Decimal(string: "12345678901234567890.12345") ?? 0, Decimal(Int64.max), .nan]))
    case 4: .boolean(number(2) == 0)
    case 5: .date(pick([0, 86_399, -978_307_200, 1e300, -3_155_692_600_000, Double(number(2_000_000_000))]))
    case 6: .date(Double(Int64(truncatingIfNeeded: generator.next() >> 24)) / 7)
    case 7: .binary(Data((0..<number(9)).map { _ in UInt8(number(256)) }))
    case 8: .uuid(UUID(uuidString: "8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A\(10 + number(89))") ?? UUID())
    case 9: .uri(text())
    default: .string(text())
    }
  }

  private mutating func text() -> String {
    String((0..<number(6)).map { _ in pick(Array("ab'\"\\\n\t\0é😀#$.\u{7F}\u{2028}\u{FFFE} uU")) })
  }

  private mutating func names(_ count: ClosedRange<Int>) -> [String] {
    (0..<(count.lowerBound + number(count.count))).map { _ in
      pick(["name", "orders", "@count", "@sum", "in", "SELF", "größe", "a b", "", "_x1", "first", "x:y:", "@", "1a"])
    }
  }

  private mutating func expressions(_ count: ClosedRange<Int>, _ depth: Int) -> [ValueExpression] {
    (0..<(count.lowerBound + number(count.count))).map { _ in expression(depth: depth) }
  }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }
}
