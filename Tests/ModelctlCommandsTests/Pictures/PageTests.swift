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

  @Test("The page of a difference begins with links to its entities")
  func contents() throws {
    let page = try page("Orders@v3 Orders@v4")
    let links = page.elements("nav").flatMap { PageStructure.all($0).filter { $0.name == "a" } }
    #expect(links.map(\.text) == ["Customer", "Order", "Payment", "RowOfOrder", "Service"])
    let targets = links.map { String($0[attribute: "href"]?.dropFirst() ?? "") }
    let headings = targets.map { target in
      page.elements("section").first { $0[attribute: "id"] == target }?.children.first?.text.prefix { $0 != "," } ?? ""
    }
    #expect(headings == links.map { "entity \($0.text)" })
  }

  @Test("A page of some entities lists what changed of them, and says how much it leaves out")
  func focused() throws {
    let page = try page("Orders@v1 Orders@v6 --entity Contact")
    #expect(page.faults == [])
    let shown = page.elements("nav").flatMap { PageStructure.all($0).filter { $0.name == "a" } }.map(\.text)
    #expect(shown == ["Contact", "Customer"])
    let changes = page.elements("section").filter { $0[attribute: "id"]?.hasPrefix("change-") == true }
      .compactMap { $0.children.first?.text }
    #expect(
      changes == [
        "Contact: added", "Customer.contact: added", "Customer.email: removed",
        "Customer.fullName: renamed from name", "Customer.searchName: added", "without effect on hash and rows",
        "hints",
      ])
    let all = try self.page("Orders@v1 Orders@v6").text
    let counts = [page.text, all].compactMap { text in
      text.firstMatch(of: /from v1 to v6: (\d+) changes?</).flatMap { Int($0.1) }
    }
    #expect(counts.count == 2)
    #expect(page.text.contains("<li>\(counts[1] - counts[0]) changes of what is not shown left out</li>"))
    #expect(!page.text.contains("RowOfOrder has a new hash") && !all.contains("left out"))
  }

  @Test("What is gone from an entity that was renamed belongs to it")
  func renamed() throws {
    let workspace = try Workspace()
    let attribute = "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"
    let other = "<entity name=\"Other\">\(attribute)</entity>"
    try workspace.write("<model><entity name=\"A\">\(attribute)</entity>\(other)</model>", to: "old")
    try workspace.write("<model><entity name=\"B\" elementID=\"A\"/><entity name=\"Other\"/></model>", to: "new")
    let result = try workspace.modelctl("diagram", "old", "new", "--entity", "B", "--html")
    let headings = try PageStructure(result.standardOutput).elements("section").compactMap { $0.children.first?.text }
    #expect(headings.prefix(3) == ["from old to new: 3 changes", "B: renamed from A", "A.x: removed"])
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
