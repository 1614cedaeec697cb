import Foundation
import MappingModels
import ModelDescription
import Testing

@Suite("Values as people type them")
struct AttributeValueParseTests {
  @Test(
    "accepted",
    arguments: [
      ("-32768", AttributeType.integer16, AttributeValue.integer(-32768)),
      ("2147483647", .integer32, .integer(2_147_483_647)),
      ("1.50", .decimal, .decimal(1.5)), ("1e3", .double, .double(1000)), ("0.5", .float, .double(0.5)),
      ("", .string, .string("")), ("Yes", .boolean, .boolean(true)), ("0", .boolean, .boolean(false)),
      ("2001-01-01", .date, .date(0)), ("2001-01-01T00:00:01.5Z", .date, .date(1.5)),
      ("2001-01-01T01:00:00+01:00", .date, .date(0)), ("2000-12-31 23:00-0100", .date, .date(0)),
      ("2020-01-09 09:31:10.123456 +00:00", .date, .date(600_255_070.123456)),
      ("2000-12-31T23:59:59.7000000000000Z", .date, .date(-0.3)), ("0000-12-30", .date, .date(-63_114_076_800)),
      ("2024-02-29", .date, .date(730_857_600)), ("1970-01-01", .date, .date(-978_307_200)),
      ("hex:00ff", .binary, .binary(Data([0, 255]))), ("base64:AAE=", .transformable, .binary(Data([0, 1]))),
      ("https://example.org/a", .uri, .uri("https://example.org/a")),
    ]
  )
  func accepted(text: String, type: AttributeType, value: AttributeValue) throws {
    #expect(try AttributeValue.parse(text, as: type) == value)
  }

  @Test(
    "refused, with the accepted texts",
    arguments: [
      ("32768", AttributeType.integer16), ("1.0", .integer64), ("nan", .double), ("0x10", .double), ("1e39", .float),
      ("maybe", .boolean), ("2023-02-29", .date), ("2024-13-01", .date), ("2024-01-01T24:00Z", .date),
      ("2024-01-01Tx", .date), ("0g", .binary), ("abc", .binary), ("base64:*", .binary), ("x", .uuid), ("a b", .uri),
      ("1.\(String(repeating: "12", count: 50))", .decimal), ("", .integer32), ("x", .composite), ("x", .undefined),
    ]
  )
  func refused(text: String, type: AttributeType) {
    #expect(throws: AttributeValueParseError.self) { try AttributeValue.parse(text, as: type) }
  }

  @Test(
    "The text of a value is read as the same value, or is nil",
    arguments: [
      (AttributeValue.integer(.min), AttributeType.integer64),
      (.decimal(Decimal(sign: .minus, exponent: -9, significand: 15)), .decimal),
      (.double(.leastNonzeroMagnitude), .double), (.double(-0.1), .double), (.string("a\0\n"), .string),
      (.boolean(false), .boolean),
      (.date(-0.3), .date), (.date(600_255_070.123456), .date), (.date(252_423_993_599), .date),
      (.binary(Data([0, 255])), .binary), (.uuid(UUID()), .uuid), (.uri("https://example.org/a"), .uri),
    ])
  func text(value: AttributeValue, type: AttributeType) throws {
    #expect(try AttributeValue.parse(#require(value.text), as: type) == value)
    for none in [
      AttributeValue.double(.nan), .double(.infinity), .decimal(.nan), .date(252_423_993_600), .date(-63_145_526_401),
      .uri("a b"),
    ] { #expect(none.text == nil) }
  }

  @Test("the message names the text, the type and the accepted texts")
  func message() {
    let error = #expect(throws: AttributeValueParseError.self) { try AttributeValue.parse("x", as: .integer16) }
    #expect(error?.description == "“x” is not a valid Integer 16; give a whole number from -32768 to 32767")
  }
}
