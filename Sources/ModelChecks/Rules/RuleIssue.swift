import ModelDescription
import ModelFiles

/// What a rule reports before its id and severity are added.
struct RuleIssue {
  var element: ModelElement
  /// The place, where it is another than the element's own.
  var location: SourceLocation?
  var message: String
  var fix: String?

  init(_ element: ModelElement, _ message: String, fix: String? = nil, at location: SourceLocation? = nil) {
    self.element = element
    self.location = location
    self.message = message
    self.fix = fix
  }
}
