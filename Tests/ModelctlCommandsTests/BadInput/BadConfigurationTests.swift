import Foundation
import TestSupport
import Testing

@Suite("A configuration with a slip is refused with its place and the nearest name")
struct BadConfigurationTests {
  /// The content of `.modelctl.json`, and the message.
  static let texts: [(content: String, says: [String])] = [
    ("", [".modelctl.json", "empty"]),
    ("{", [".modelctl.json:1:2: not well-formed JSON"]),
    ("[]", [".modelctl.json:1:1: expected an object"]),
    (#"{ "rule": {} }"#, [".modelctl.json:1:3: the key “rule” is unknown; nearest: rules"]),
    (
      #"{ "rules": { "data-los": "off" } }"#,
      [".modelctl.json:1:14: modelctl has no rule “data-los”; nearest: data-loss"]
    ),
    (#"{ "rules": { "data-loss": "of" } }"#, [".modelctl.json:1:27: “of” is not a severity; write “off”, “note”"]),
    (#"{ "rules": { "data-loss": 1 } }"#, [".modelctl.json:1:27: expected a string, found a number"]),
    ("{\n  \"exclude\": [\"Pods\", \"/\"]\n}", [".modelctl.json:2:23: “/” is not a pattern of paths"]),
    (#"{ "exclude": ["../Other"] }"#, [".modelctl.json:1:15: “../Other” is not a pattern of paths"]),
    (#"{ "released": { "tag": "v*" } }"#, [".modelctl.json:1:17: the key “tag” is unknown; nearest: tags"]),
    (#"{ "released": { "tags": "--all" } }"#, [".modelctl.json:1:25: “--all” does not match a tag"]),
    (#"{ "rules": {}, "rules": {} }"#, ["the key “rules” is there twice"]),
  ]

  @Test("In the file", arguments: texts)
  func file(_ content: String, says: [String]) throws {
    let workspace = try SampleFolder()
    try workspace.write(content, to: ".modelctl.json")
    try Refusal.expect(["check"], says: ["error: .modelctl.json"] + says, in: workspace)
    try Refusal.expect(["check", "--list-rules"], says: says, in: workspace)
  }

  @Test("A file that is not there, and a rule that is not there") func names() throws {
    let workspace = try SampleFolder()
    try Refusal.expect(["check", "--config-file", "none.json"], says: ["error: none.json"], in: workspace)
    try Refusal.expect(
      ["check", "--explain", "data-los"], says: ["error: modelctl has no rule “data-los”; nearest: data-loss"],
      in: workspace)
  }

  @Test("Tags are required outside a repository") func noRepository() throws {
    let workspace = try SampleFolder()
    try workspace.write(#"{ "released": { "tags": "v*" } }"#, to: ".modelctl.json")
    let result = try workspace.modelctl("check")
    #expect(result.status == 2)
    #expect(result.standardError.contains("git"))
  }
}
