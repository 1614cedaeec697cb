/// The forms of `diagram`.
enum DiagramForm: String, OutputForm {
  case mermaid
  case dot
  case dbml
  case svg
  case png
  case html

  static var text: DiagramForm { .mermaid }
}
