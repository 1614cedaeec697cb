import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("Accessible pages")
struct PageTests {
  private func page(_ arguments: String) throws -> PageStructure {
    let result = try Modelctl.run(
      ["diagram", "--html"] + arguments.split(separator: " ").map(String.init), in: SampleFolder())
    #expect(result.status == 0)
    return try PageStructure(result.standardOutput)
  }

  @Test(
    "One heading, a language, labels, nothing from elsewhere",
    arguments: ["Orders@v6", "Staff@v2", "Orders@v1 Orders@v6", "Todo@v1 Family@v2", "Company@v1 Company@v1"])
  func structure(_ arguments: String) throws {
    #expect(try page(arguments).faults == [])
  }

  @Test("Only the search needs a script")
  func withoutScript() throws {
    let page = try page("Orders@v6")
    #expect(page.elements("form").map { $0[attribute: "hidden"] } == ["hidden"])
    let hidden = page.elements("section") + page.elements("ul") + page.elements("figure")
    #expect(hidden.allSatisfy { $0[attribute: "hidden"] == nil })
    #expect(page.elements("section").count == 6)
    #expect(page.text.contains("<li>relationship rows, to-many RowOfOrder, optional\n"))
  }

  @Test("The page of a difference begins with the changes of each entity; the complete model is behind a button")
  func order() throws {
    let page = try page("Orders@v3 Orders@v4")
    let main = try #require(page.elements("main").first)
    let headings = PageStructure.all(main).filter { ["h2", "summary"].contains($0.name) }.map(\.text)
    let drawn = ["The changed entities and their links", "The complete model: 5 entities, picture and words"]
    let missing = ["The picture", "The complete model: 5 entities in words"]
    #expect(headings == ["What it means", "What changed"] + (Installed.dot ? drawn : missing) + ["Entities"])
    let groups = page.elements("section").filter { $0[attribute: "id"]?.hasPrefix("change-") == true }
    #expect(groups.map { $0.children.first?.text } == ["Order: 2 changes", "Payment: added"])
    #expect(page.text.contains("<li>number: type changes from Integer 32 to Integer 64\n"))
    let details = try #require(page.elements("details").first)
    #expect(details[attribute: "open"] == nil && page.elements("details").count == 1)
    let inside = PageStructure.all(details).compactMap { $0[attribute: "id"] }.filter { $0.hasPrefix("entity-") }
    #expect(inside.count == 5)
  }

  @Test("Links point to the changes, and the links of the complete model point to its entities")
  func contents() throws {
    let page = try page("Orders@v3 Orders@v4")
    let navigation = page.elements("nav").map { PageStructure.all($0).filter { $0.name == "a" } }
    #expect(
      navigation.map { $0.map(\.text) } == [
        ["Order", "Payment"], ["Customer", "Order", "Payment", "RowOfOrder", "Service"],
      ])
    let headings = navigation.flatMap { $0 }.map { link in
      let target = String(link[attribute: "href"]?.dropFirst() ?? "")
      return page.elements("section").first { $0[attribute: "id"] == target }?.children.first?.text ?? ""
    }
    #expect(
      headings == [
        "Order: 2 changes", "Payment: added", "entity Customer", "entity Order, changed", "entity Payment, added",
        "entity RowOfOrder", "entity Service",
      ])
  }

  @Test(
    "Both pictures fit the width, and can be enlarged by buttons and keys where there is a script",
    .enabled(if: Installed.dot, Comment(rawValue: Installed.noDot)))
  func pictures() throws {
    let page = try page("Orders@v3 Orders@v4")
    #expect(page.faults == [])
    #expect(page.elements("svg").count == 2)
    let frames = page.elements("div").filter { $0[attribute: "class"] == "scroll" }
    #expect(frames.count == 2 && frames.allSatisfy { $0[attribute: "tabindex"] == "0" })
    let tools = page.elements("div").filter { $0[attribute: "class"] == "tools" }
    #expect(tools.count == 2 && tools.allSatisfy { $0[attribute: "hidden"] == "hidden" })
    let sections = Set(page.elements("section").compactMap { $0[attribute: "data-node"] })
    let boxes = Set(page.elements("g").compactMap { $0[attribute: "id"] })
    #expect(sections.isSubset(of: boxes) && sections.count == 7)
  }

  @Test("A page of some entities lists their changes, and the number of changes it leaves out")
  func focused() throws {
    let page = try page("Orders@v1 Orders@v6 --entity Contact")
    #expect(page.faults == [])
    let shown = page.elements("nav").map { PageStructure.all($0).filter { $0.name == "a" }.map(\.text) }
    #expect(shown == [["Contact", "Customer"], ["Contact", "Customer"]])
    let changes = page.elements("section").compactMap { $0.children.first?.text }
    #expect(
      changes == [
        "from v1 to v6: 6 changes", "Contact: added", "Customer: 4 changes", "without effect on hash and rows",
        "entity Contact, added", "entity Customer, changed",
      ])
    #expect(page.text.contains("<li>fullName: renamed from name\n"))
    let all = try self.page("Orders@v1 Orders@v6").text
    let counts = [page.text, all].compactMap { text in
      text.firstMatch(of: /from v1 to v6: (\d+) changes?</).flatMap { Int($0.1) }
    }
    #expect(counts.count == 2)
    #expect(page.text.contains("<li>\(counts[1] - counts[0]) changes of other entities not shown</li>"))
    #expect(!page.text.contains("RowOfOrder has a new hash") && !all.contains("not shown"))
  }

  @Test("Removed properties of a renamed entity belong to the entity")
  func renamed() throws {
    let workspace = try SampleFolder()
    let attribute = "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"
    let other = "<entity name=\"Other\">\(attribute)</entity>"
    try workspace.write("<model><entity name=\"A\">\(attribute)</entity>\(other)</model>", to: "old")
    try workspace.write("<model><entity name=\"B\" elementID=\"A\"/><entity name=\"Other\"/></model>", to: "new")
    let result = try workspace.modelctl("diagram", "old", "new", "--entity", "B", "--html")
    let page = try PageStructure(result.standardOutput)
    let headings = page.elements("section").compactMap { $0.children.first?.text }
    #expect(headings.prefix(2) == ["from old to new: 3 changes", "B: renamed from A"])
    let group = try #require(page.elements("section").first { $0[attribute: "id"] == "change-1" })
    #expect(PageStructure.all(group).contains { $0.name == "li" && $0.text.hasPrefix("A.x: removed") })
  }

  @Test("Hints have a section of their own")
  func hints() throws {
    let workspace = try SampleFolder()
    for (file, name) in [("old", "title"), ("new", "titles")] {
      let attribute = "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
      try workspace.write("<model><entity name=\"A\">\(attribute)</entity></model>", to: file)
    }
    let page = try PageStructure(workspace.modelctl("diagram", "old", "new", "--html").standardOutput)
    let section = try #require(page.elements("section").first { $0.children.first?.text == "hints" })
    #expect(PageStructure.all(section).contains { $0.name == "li" && $0.text.contains("looks") })
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
