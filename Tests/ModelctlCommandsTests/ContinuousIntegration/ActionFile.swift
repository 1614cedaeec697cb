import Foundation

/// As much of YAML as `action.yml` uses: the defaults of its inputs, its outputs, and its steps.
struct ActionFile {
  /// One step: either a piece of shell with its environment, or another action.
  struct Step {
    var name = ""
    var id = ""
    var condition = ""
    var uses = ""
    var environment: [String: String] = [:]
    var script = ""
  }

  private(set) var inputs: [String: String] = [:]
  private(set) var outputs: [String: String] = [:]
  private(set) var steps: [Step] = []
  private var section = ""
  private var item = ""
  private var block = ""

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indentation = line.prefix { $0 == " " }.count
      read(String(line.dropFirst(indentation)), indentation)
    }
  }

  private mutating func read(_ line: String, _ indentation: Int) {
    guard !line.isEmpty else { return }
    if indentation == 0 { section = line.trimmingCharacters(in: [":"]) }
    switch section {
    case "inputs", "outputs": readValue(line, indentation)
    case "runs": readStep(line, indentation)
    default: break
    }
  }

  private mutating func readValue(_ line: String, _ indentation: Int) {
    if indentation == 2 { item = line.trimmingCharacters(in: [":"]) }
    guard indentation == 4, let (key, value) = Self.member(line) else { return }
    if key == "default" { inputs[item] = value }
    if key == "value" { outputs[item] = value }
  }

  private mutating func readStep(_ line: String, _ indentation: Int) {
    if indentation == 4, line.hasPrefix("- ") {
      steps.append(Step())
      readStep(String(line.dropFirst(2)), 6)
    } else if indentation == 6, let (key, value) = Self.member(line), let last = steps.indices.last {
      block = key
      switch key {
      case "name": steps[last].name = value
      case "id": steps[last].id = value
      case "if": steps[last].condition = value
      case "uses": steps[last].uses = value
      default: break
      }
    } else if indentation >= 8, let last = steps.indices.last {
      if block == "run" { steps[last].script += line + "\n" }
      if block == "env", let (key, value) = Self.member(line) { steps[last].environment[key] = value }
    }
  }

  private static func member(_ line: String) -> (key: String, value: String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    return (String(line[..<colon]), value.trimmingCharacters(in: ["'"]))
  }
}
