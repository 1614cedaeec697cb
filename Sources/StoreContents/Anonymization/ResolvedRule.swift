/// What becomes of an attribute, with the line that says so.
struct ResolvedRule {
  let rule: AttributeRule
  /// The file of the line.
  let path: String
  let line: Int
  /// The attribute as the line names it.
  let name: String
}
