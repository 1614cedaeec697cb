import ModelDescription
import ModelFiles

/// What a rule reports before its id and severity are added.
struct RuleFinding {
  var element: ModelElement
  /// The place, where it is another than the element's own.
  var location: SourceLocation?
  var message: String
  var fix: Advice?
  /// What `modelctl edit` does to mend it in a version that can still change, each by itself: `remove Order.note`.
  var edits: [String] = []
  /// How much it matters, where that is not what the rule says.
  var severity: Finding.Severity?
  /// Where else than at the element itself an entry silences it.
  var silencers: [ModelPlace] = []
  /// What a likely rename is about, of which this is a consequence.
  var cause: ModelPlace?

  init(
    _ element: ModelElement, _ message: String, fix: Advice? = nil, edits: [String] = [],
    at location: SourceLocation? = nil
  ) {
    (self.element, self.location, self.message) = (element, location, message)
    (self.fix, self.edits) = (fix, edits)
  }
}
