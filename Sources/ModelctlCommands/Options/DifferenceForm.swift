/// The forms of `diff`.
enum DifferenceForm: String, OutputForm {
  case text
  case json
  case markdown
}
