/// The forms of `matrix`.
enum MatrixForm: String, OutputForm {
  case text
  case json
  case markdown
}
