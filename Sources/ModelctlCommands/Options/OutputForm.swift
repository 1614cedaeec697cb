/// The forms in which a command can give its result.
protocol OutputForm: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The form of a command that was asked for none.
  static var text: Self { get }
}

extension OutputForm {
  /// The forms as help and errors list them: `text, json or sarif`.
  static var list: String {
    let names = allCases.map(\.rawValue)
    return names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
  }

  /// How a form is given with a file: `json=FILE`, where there is JSON.
  static var example: String { "\((Self(rawValue: "json") ?? Array(allCases).last ?? text).rawValue)=FILE" }
}

/// The forms of most commands.
enum DocumentForm: String, OutputForm {
  case text
  case json
}
