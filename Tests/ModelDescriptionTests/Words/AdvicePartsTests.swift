import ModelDescription
import Testing

@Suite("Advice in its parts")
struct AdvicePartsTests {
  @Test("Commands of nested advice are separate parts, and adjacent words are one part")
  func nested() {
    let restoring: Advice = "run: \(command: "git checkout HEAD -- App")"
    let advice: Advice = "bring \(2) back; \(restoring); or not"
    #expect(
      advice.parts == [
        .words("bring 2 back; run: "), .command("git checkout HEAD -- App"), .words("; or not"),
      ])
    #expect(advice.text == "bring 2 back; run: git checkout HEAD -- App; or not")
  }
}
