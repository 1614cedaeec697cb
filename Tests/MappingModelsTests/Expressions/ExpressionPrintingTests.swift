import Foundation
import MappingModels
import ModelDescription
import TestSupport
import Testing

@Suite("An expression's text gives the expression again")
struct ExpressionPrintingTests {
  @Test(
    "The canonical text",
    arguments: [
      ("self.name", "name"),
      ("uppercase($source.name)", "uppercase:($source.name)"),
      ("add:to:(1, multiply:by:(2, 3))", "1 + 2 * 3"),
      ("((1 + 2)) * 3", "(1 + 2) * 3"),
      ("a - (b - c)", "a - (b - c)"),
      ("(a ** b) ** c", "(a ** b) ** c"),
      ("a='x' && !(b<>3||c=<4)", "a == \"x\" AND NOT (b != 3 OR c <= 4)"),
      ("any tags.name begins", nil),
      ("some tags.name beginswith [ c ] 'x'", "ANY tags.name BEGINSWITH[c] \"x\""),
      ("#in.out", "#in.out"),
      ("cast('2026-01-31','NSDate')", "CAST(\"2026-01-31T00:00:00Z\", \"NSDate\")"),
      ("CAST(0.5, 'NSDate')", "CAST(0.5, \"NSDate\")"),
      ("function($entityPolicy,'today')", "FUNCTION($entityPolicy, \"today\")"),
      ("null", "nil"), ("true", "YES"), ("1e3", "1000.0"),
      ("(-1) ** 2", "(-1) ** 2"),
      ("#'sel f'('x')", "#\"sel f\"(\"x\")"),
    ] as [(String, String?)])
  func canonicalText(text: String, canonical: String?) {
    #expect((try? ValueExpression(parsing: text))?.description == canonical)
  }

  @Test("Single quotation marks suit an XML attribute")
  func singleQuotes() throws {
    let expression = try ValueExpression(parsing: "$source.first + \" \" + \"it's\"")
    #expect(expression.formatted(quotes: .single) == "$source.first + ' ' + 'it\\'s'")
  }

  @Test("10,000 random expressions of every kind survive printing and reading")
  func roundTrip() throws {
    let first: UInt64 = 20_260_131
    print("expressions from seed \(first) on: 10,000")
    for seed in first..<(first + (CorpusSample.isWhole ? 10_000 : 3_000)) {
      var random = RandomExpression(seed: seed)
      let expression = random.expression(depth: Int(seed % 7) + 1)
      for quotes in [ValueExpression.Quotes.single, .double] {
        let text = expression.formatted(quotes: quotes)
        let read = Result { try ValueExpression(parsing: text) }
        guard case .success(expression) = read else {
          Issue.record("seed \(seed): \(text)\nread as \(read)")
          return
        }
      }
    }
  }

  @Test("Damaged texts are read or refused, never worse")
  func damaged() throws {
    var readable = 0
    for seed in UInt64(1)...(CorpusSample.isWhole ? 3_000 : 1_000) {
      var random = RandomExpression(seed: seed)
      var scalars = Array(random.expression(depth: 5).description.unicodeScalars)
      for _ in 0..<3 where !scalars.isEmpty {
        let place = Int.random(in: 0..<scalars.count, using: &random.generator)
        switch Int.random(in: 0..<3, using: &random.generator) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(scalars[scalars.count / 2], at: place)
        default: scalars.swapAt(place, scalars.count / 2)
        }
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      do {
        let expression = try ValueExpression(parsing: String(text))
        readable += 1
        #expect(try ValueExpression(parsing: expression.description).description == expression.description)
      } catch {
        #expect(error.offset >= 0 && error.offset <= scalars.count)
      }
    }
    print("damaged expressions: 3,000, still readable \(readable)")
    #expect(readable > 0 && readable < 1_000 * (CorpusSample.isWhole ? 3 : 1))
  }
}
