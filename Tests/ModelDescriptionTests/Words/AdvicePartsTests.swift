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
        .words("bring 2 back; run: "), .command(.init(shell: "git checkout HEAD -- App")), .words("; or not"),
      ])
    #expect(advice.text == "bring 2 back; run: git checkout HEAD -- App; or not")
  }

  @Test("The words alone name no command and no option, and a command has its arguments unquoted")
  func words() {
    let advice: Advice = """
      repair the store: \(run: "modelctl", "verify", "--repair", "my store"); or wait: \(option: "--busy-timeout", "60")
      """
    #expect(advice.words == "repair the store; or wait")
    #expect(advice.text == "repair the store: modelctl verify --repair 'my store'; or wait: --busy-timeout 60")
    #expect(advice.commands.map(\.arguments) == [["modelctl", "verify", "--repair", "my store"]])
  }

  @Test("An error in parts is its place, its cause and the words of its remedy")
  func error() {
    #expect("\(Refusal(place: "a.sqlite"))" == "a.sqlite: the file is empty; restore it")
    #expect("\(Refusal(place: nil))" == "the file is empty; restore it")
  }

  private struct Refusal: AdvisedError {
    let place: String?
    var cause: String { "the file is empty" }
    var advice: Advice? { "restore it: \(run: "cp", "backup", "a.sqlite")" }
  }
}
