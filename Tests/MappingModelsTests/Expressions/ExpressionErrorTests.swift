import Foundation
import MappingModels
import ModelDescription
import Testing

@Suite("A text that is not an expression is refused at its location")
struct ExpressionErrorTests {
  @Test(
    "The message has the location, the cause and the advice",
    arguments: [
      ("", "at character 1: expected a value, found the end"),
      ("a +", "at character 4: expected a value, found the end"),
      ("a b", "at character 3: unknown operator “b”"),
      ("a LIEK 'x'", "at character 3: unknown operator “LIEK”; nearest: LIKE"),
      ("a IS NULL", "at character 3: unknown operator “IS”; write == nil or != nil"),
      ("a % 2", "at character 3: unknown operator “%”"),
      ("a == b == c", "at character 8: expected AND, OR or the end, found “==”"),
      ("upercase:(a)", "at character 1: unknown function “upercase:”; nearest: uppercase:"),
      ("lenght(a)", "at character 1: unknown function “lenght”; nearest: length:"),
      ("uppercase:(a, b)", "at character 1: uppercase: takes 1 argument, not 2"),
      ("TERNARY(a, b)", "at character 1: TERNARY takes 3 arguments, not 2"),
      ("uppercase: + 1", "at character 12: expected “(” and the arguments of uppercase:, found “+”"),
      ("'abc", "at character 1: the string that begins here has no closing quotation mark"),
      ("'\\q'", "at character 2: “\\q” is not a valid escape sequence"),
      ("'\\uD800'", "at character 2: “\\uD800” is not a valid escape sequence"),
      ("12abc", "at character 1: “12abc” is not a valid number"),
      ("0xZ", "at character 1: “0xZ” is not a valid number"),
      ("1e999", "at character 1: “1e999” is not a valid number"),
      ("CAST('31.1.2026', 'NSDate')", "at character 6: “31.1.2026” is not a valid NSDate; write an ISO 8601 date"),
      ("SUBQUERY(a, x, x.b > 1).@count", "at character 13: expected a variable for the member, such as $x, found “x”"),
      ("SUBQUERY(a, $x)", "at character 15: expected “,”, found “)”"),
      ("a[0]", "at character 2: indexing with [ ] cannot be used"),
      ("(a", "at character 3: expected “)”, found the end"),
      ("{a, b", "at character 6: expected “,” or “}”, found the end"),
      ("a == NOT b", "at character 6: expected a value; put NOT and its operand in parentheses, found “NOT”"),
      ("ANY a", "at character 6: expected a comparison, such as ==, found the end"),
      ("a LIKE[x] b", "at character 8: expected the options c, d or cd, found “x”"),
      ("a ==[l] b", "at character 6: expected the options c, d or cd, found “l”"),
      ("a ==[n] b", "at character 6: expected the options c, d or cd, found “n”"),
      ("a ==[w] b", "at character 6: expected the options c, d or cd, found “w”"),
      ("FUNCTION($a, b)", "at character 14: expected the selector as a string, found “b”"),
      ("FETCH(a, b, c)", "at character 1: expected YES or NO as the third argument of FETCH"),
      ("$", "at character 2: expected the name of a variable, found the end"),
      ("and", "at character 1: expected a value (write #and for a key of that name), found “and”"),
      ("é + 😀 + ?", "at character 5: unknown operator “😀”"),
    ])
  func messages(text: String, beginning: String) {
    let error = #expect(throws: ExpressionSyntaxError.self) { try ValueExpression(parsing: text) }
    #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "no error")")
  }

  @Test(
    "Nesting of any depth and any form ends in an error",
    arguments: [
      ("", "(", ""), ("", "(", "a"), ("", "{", ""), ("", "NOT ", "a"), ("", "-", "a"), ("", "abs(", "a"),
      ("", "TERNARY(a, b, ", "c"), ("", "CAST(", "a"), ("", "FUNCTION(", "a"), ("a", " + a", ""), ("a", " ** a", ""),
      ("", "(a AND ", "a"), ("", "ANY ", "a"), ("", "a == ", "a"), ("a", "]", ""), ("a", ")", ""),
    ]
  )
  func deepNesting(beginning: String, repeated: String, end: String) {
    let text = beginning + String(repeating: repeated, count: 90_000 / repeated.count) + end
    let error = #expect(throws: ExpressionSyntaxError.self) { try ValueExpression(parsing: text) }
    #expect(error?.description.count ?? 0 < 300)
  }

  @Test("Sixty-four levels are read, one more is not")
  func depthLimit() throws {
    let chain = "a" + String(repeating: " + a", count: 62)
    #expect(try ValueExpression(parsing: chain).description == chain)
    let error = #expect(throws: ExpressionSyntaxError.self) { try ValueExpression(parsing: chain + " + a") }
    #expect(error?.reason == .tooDeep(limit: 64))
    #expect(throws: Never.self) {
      try ValueExpression(parsing: String(repeating: "(", count: 120) + "a" + String(repeating: ")", count: 120))
    }
  }

  @Test("Reading the deepest nesting needs two megabytes of stack at most, in a debug build too")
  func smallStack() {
    let finished = DispatchSemaphore(value: 0)
    let thread = Thread {
      let text = String(repeating: "abs((", count: 62) + "a" + String(repeating: "))", count: 62)
      let expression = try? ValueExpression(parsing: text)
      _ = expression?.description.count
      if expression != nil { finished.signal() }
    }
    thread.stackSize = 2 << 20
    thread.start()
    #expect(finished.wait(timeout: .now() + 20) == .success)
  }

  @Test("A chain of AND of any length is one level")
  func longConjunction() throws {
    let text = (0..<1_400).map { "a != \($0)" }.joined(separator: " AND ")
    #expect(try ValueExpression(parsing: text).description == text)
  }

  @Test("A text beyond the limit is refused")
  func tooLong() {
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try ValueExpression(parsing: "'" + String(repeating: "x", count: 20_000) + "'")
    }
    #expect(error?.reason == .tooLong(limit: 20_000))
  }
}
