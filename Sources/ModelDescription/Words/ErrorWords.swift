/// The words of an error in two parts, so that whoever shows it need not take a sentence apart.
package struct ErrorWords: Hashable, Sendable {
  /// What is wrong, without the place.
  package var cause: String
  /// What to do about it.
  package var advice: Advice?

  /// Takes the words of an error.
  package init(_ cause: String, _ advice: Advice? = nil) {
    self.cause = cause
    self.advice = advice
  }

  /// Both in one sentence.
  package var sentence: String { advice.map { "\(cause); \($0)" } ?? cause }
}
