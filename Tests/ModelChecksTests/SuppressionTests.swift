import Foundation
import ModelChecks
import ModelDescription
import ModelFiles
import Testing

/// A userInfo entry `modelctl.ignore` silences rules at its element.
struct SuppressionTests {
  /// Two relationships without an inverse, with an entry at the entity or at the second of them.
  private func run(entity: String? = nil, property: String? = nil, level: CheckConfiguration.Level? = nil) throws
    -> CheckRun
  {
    func entry(_ value: String?) -> String {
      value.map { "<userInfo><entry key=\"modelctl.ignore\" value=\"\($0)\"/></userInfo>" } ?? ""
    }
    let text = """
      <model>
      <entity name="A">
      <relationship name="b" optional="YES" maxCount="1" destinationEntity="A"/>
      <relationship name="c" optional="YES" maxCount="1" destinationEntity="A">\(entry(property))</relationship>
      \(entry(entity))
      </entity>
      </model>
      """
    let file = try ContentsReader.read(Data(text.utf8), path: "m")
    let levels = level.map { ["missing-inverse": $0] } ?? [:]
    return CheckRun(CheckedProject(models: [file]), configuration: CheckConfiguration(levels: levels))
  }

  private func lines(_ run: CheckRun) -> [String] {
    run.findings().map { "\($0.severity.rawValue) \($0.element) [\($0.rule)]" }
  }

  @Test func withoutAnEntryBothAreFound() throws {
    #expect(lines(try run()) == ["warning A.b [missing-inverse]", "warning A.c [missing-inverse]"])
  }

  @Test func anEntityIsSilencedWithItsProperties() throws {
    #expect(lines(try run(entity: "missing-inverse")) == [])
  }

  @Test func aPropertyIsSilencedAlone() throws {
    #expect(lines(try run(property: "missing-inverse")) == ["warning A.b [missing-inverse]"])
  }

  @Test func whatSilencesNothingIsTold() throws {
    #expect(
      lines(try run(entity: "missing-inverse, data-loss", property: "case-clash missing-inverse")) == [
        "note A [unused-suppression]", "note A.c [unused-suppression]",
      ])
  }

  @Test func aRuleThatIsOffHasNoUnusedEntries() throws {
    #expect(lines(try run(property: "missing-inverse", level: .off)) == [])
    #expect(lines(try run(level: .note)) == ["note A.b [missing-inverse]", "note A.c [missing-inverse]"])
  }

  @Test func anUnknownRuleIsAnError() throws {
    #expect(
      try run(property: "missing-invers,").suppressionErrors().map(\.description) == [
        "m:4:1: the userInfo entry “modelctl.ignore” of A.c: modelctl has no rule “missing-invers”; "
          + "nearest: missing-inverse"
      ])
  }
}
