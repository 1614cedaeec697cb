import ArgumentParser
import ModelKit

/// The replacements of policy classes that exist only in an app.
struct PolicyOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Replace a migration policy class of your app: Class=default for the default policy, Class.attribute=SQL or Class/selector:=SQL. You can repeat this option.",
      valueName: "replacement"))
  var policy: [String] = []

  func validate() throws { _ = try replacements() }

  /// The replacements by class name.
  func replacements() throws -> [String: PolicyReplacement] {
    try policy.reduce(into: [:]) { replacements, text in
      guard let option = PolicyOption(text) else {
        throw ValidationError("--policy \(text): expected Class=default, Class.attribute=SQL or Class/selector:=SQL")
      }
      option.add(to: &replacements[option.className, default: PolicyReplacement()])
    }
  }
}

/// One parsed `--policy` option.
private struct PolicyOption {
  let className: String
  private let member: Member

  private enum Member {
    case treatAsDefault
    case attribute(String, sql: String)
    case function(String, sql: String)
  }

  init?(_ text: String) {
    guard let sign = text.firstIndex(of: "=") else { return nil }
    let (name, value) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
    guard !name.isEmpty, !value.isEmpty else { return nil }
    if let slash = name.firstIndex(of: "/") {
      className = String(name[..<slash])
      member = .function(String(name[name.index(after: slash)...]), sql: value)
    } else if value == "default" {
      className = name
      member = .treatAsDefault
    } else if let dot = name.lastIndex(of: ".") {
      className = String(name[..<dot])
      member = .attribute(String(name[name.index(after: dot)...]), sql: value)
    } else {
      return nil
    }
    if className.isEmpty { return nil }
  }

  func add(to replacement: inout PolicyReplacement) {
    switch member {
    case .treatAsDefault: break
    case .attribute(let name, let sql): replacement.attributes[name] = sql
    case .function(let selector, let sql): replacement.functions[selector] = sql
    }
  }
}
