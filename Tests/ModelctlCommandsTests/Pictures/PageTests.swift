import Foundation
import ModelFiles
import Testing

@Suite("Pages for everybody")
struct PageTests {
  private func page(_ arguments: String) throws -> PageStructure {
    let result = try Modelctl.run(
      ["diagram", "--html"] + arguments.split(separator: " ").map(String.init), in: Workspace())
    #expect(result.status == 0)
    return try PageStructure(result.standardOutput)
  }

  @Test(
    "One heading, a language, labels, nothing from elsewhere",
    arguments: ["Orders@v6", "Staff@v2", "Orders@v1 Orders@v6", "Todo@v1 Family@v2", "Company@v1 Company@v1"])
  func structure(_ arguments: String) throws {
    #expect(try page(arguments).faults == [])
  }

  @Test("The search is there for a script only, everything else without one")
  func withoutScript() throws {
    let page = try page("Orders@v6")
    #expect(page.elements("form").map { $0[attribute: "hidden"] } == ["hidden"])
    let hidden = page.elements("section") + page.elements("ul") + page.elements("figure")
    #expect(hidden.allSatisfy { $0[attribute: "hidden"] == nil })
    #expect(page.elements("section").count == 6)
    #expect(page.text.contains("<li>relationship rows, to-many RowOfOrder, optional\n"))
  }

  @Test(
    "Text has a contrast of 4.5 on its ground, lines and signs of 3, in the light and in the dark",
    arguments: [false, true])
  func contrast(_ isDark: Bool) throws {
    let colors = try page("Todo@v2").colors(isDark: isDark)
    #expect(colors.count == 12)
    let texts =
      ["text", "muted", "link"].flatMap { [($0, "ground"), ($0, "card")] }
      + ["added", "removed", "changed"].flatMap { [("text", "\($0)-ground"), ($0, "\($0)-ground")] }
    for (text, ground) in texts {
      let (first, second) = (try #require(colors[text]), try #require(colors[ground]))
      #expect(PageStructure.contrast(first, second) >= 4.5, "\(text) on \(ground)")
    }
    for line in ["line", "added", "removed", "changed"] {
      for ground in ["ground", "card"] {
        let (first, second) = (try #require(colors[line]), try #require(colors[ground]))
        #expect(PageStructure.contrast(first, second) >= 3, "\(line) on \(ground)")
      }
    }
    #expect(colors["text"] != (try page("Todo@v2")).colors(isDark: !isDark)["text"])
  }

  @Test("The contrast is that of the standard")
  func standard() {
    #expect(PageStructure.contrast("#000000", "#ffffff") == 21)
    #expect((4.47...4.55).contains(PageStructure.contrast("#767676", "#ffffff")))
  }
}
