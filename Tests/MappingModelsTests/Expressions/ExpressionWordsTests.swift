import MappingModels
import Testing

@Suite("Expressions in words that read well aloud")
struct ExpressionWordsTests {
  @Test(
    arguments: [
      ("$source.firstName + ' ' + $source.lastName", "source firstName, then a space, then source lastName"),
      ("$source.customer.name", "name of source customer"),
      ("$source", "the source object"),
      ("age > 3", "age is greater than 3"),
      ("customer.age BETWEEN {3, 10}", "age of customer is between 3 and 10"),
      ("image != nil", "image is not empty"),
      ("title MATCHES[c] '[a-h].*'", "title matches “[a-h].*”, ignoring case"),
      ("kind IN {1, 2, 3}", "kind is one of 1, 2 or 3"),
      ("ANY tags.name BEGINSWITH[cd] 'x'", "any name of tags begins with “x”, ignoring case and accents"),
      ("a == 1 AND (b == 2 OR c == NO)", "a is 1, and at least one of: either b is 2, or c is no"),
      ("NOT a == nil", "it is not true that a is empty"),
      ("TERNARY($source.age == nil, 18, $source.age)", "source age, or 18 if it is empty"),
      ("TERNARY($source.age > 17, 'adult', 'child')", "“adult” if source age is greater than 17, otherwise “child”"),
      ("$source.price * 100", "source price times 100"),
      ("($source.a + 1) * $source.b", "the result of source a plus 1, times source b"),
      ("$source.items.@count", "the number of source items"),
      ("$source.items.@sum.price", "the sum of price of source items"),
      ("$source.items.@max.price", "the greatest price of source items"),
      ("$source.pages.@distinctUnionOfObjects.tag", "the different tag of source pages"),
      ("uppercase:($source.name)", "source name in upper case"),
      ("length:($source.name)", "the length of source name"),
      ("modulus:by:($source.a, 2)", "source a modulo 2"),
      ("now()", "the time of the migration"),
      ("nil", "nothing"), ("''", "an empty text"), ("YES", "yes"), ("2.50", "2.5"), ("2.0", "2"),
      ("CAST('2026-01-31', 'NSDate')", "2026-01-31T00:00:00Z"),
      ("CAST($source.since, 'NSDate')", "source since as a date"),
      (
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoteToNote', $source.notes)",
        "the objects that NoteToNote creates from source notes"
      ),
      (
        "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'notes', $source.notes)",
        "the objects created from source notes"
      ),
      ("FUNCTION($entityPolicy, 'reverse:', $source.name)", "the result of the policy’s reverse: for source name"),
      ("FUNCTION($entityPolicy, 'today')", "the result of the policy’s today"),
      ("TRUEPREDICATE", "always"),
    ] as [(String, String)]
  )
  func words(text: String, words: String) throws {
    #expect(try ValueExpression(parsing: text).words == words)
  }

  @Test(
    "an expression that words would blur has its notation",
    arguments: ["a == 1 AND b == 2 OR c == NO", "$source.a * ($source.b - ($source.c / 2))"])
  func notation(text: String) throws {
    let expression = try ValueExpression(parsing: text)
    #expect(expression.words == expression.formatted(quotes: .single))
    #expect(!expression.words.contains("the result of"))
  }
}
