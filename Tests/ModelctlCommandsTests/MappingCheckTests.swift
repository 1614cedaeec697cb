import Foundation
import TestSupport
import Testing

@Suite("mapping check finds everything at once")
struct MappingCheckTests {
  @Test(
    "A mistyped name in a mapping file gets the nearest ones in one wording, and none if none is near",
    arguments: [
      ("source='v9' destination='v6'", "", "there is no version “v9” here; nearest: v6, v5, v4"),
      ("source='zebra' destination='v6'", "", "there is no version “zebra” here; known names include v"),
      ("", "source='Custmer' destination='Customer'", "the source model has no entity “Custmer”; nearest: Customer"),
      ("", "source='Zebra' destination='Customer'", "the source model has no entity “Zebra”\n"),
      ("", "A <attribute name='fulName' value='1'/>", "has no property “fulName”; nearest: fullName"),
      ("", "A <attribute name='zebra' value='1'/>", "the destination entity Customer has no property “zebra”\n"),
      (
        "", "A <relationship name='orders' mapping='OrderToOder' keyPath='$source.orders'/>",
        "the mapping model has no entity mapping “OrderToOder”; nearest: OrderToOrder\n"
      ),
    ])
  func nearest(_ versions: String, _ mapping: String, _ words: String) throws {
    let workspace = try SampleFolder()
    let isProperty = mapping.hasPrefix("A ")
    let entities = isProperty ? "source='Customer' destination='Customer'" : mapping
    try workspace.write(
      """
      <mappingModel \(versions.isEmpty ? "source='v5' destination='v6'" : versions)>
      \(mapping.isEmpty ? "" : "<entityMapping \(entities)>\(isProperty ? mapping.dropFirst(2) : "")</entityMapping>")
      </mappingModel>
      """, to: "Migrations/Orders/v5-v6.xml")
    let checked = try workspace.modelctl("mapping", "check", "Migrations/Orders/v5-v6.xml")
    #expect(checked.status == 2 && checked.standardError.contains(words), "\(checked)")
  }

  @Test("Open decisions do not hide other errors, and 0 is not a divisor")
  func undecided() throws {
    let workspace = try SampleFolder()
    try workspace.edit(
      "Models/Orders.xcdatamodeld/v5.xcdatamodel/contents", "name=\"note\" optional=\"YES\" attributeType=\"String\"",
      "name=\"note\" optional=\"YES\" attributeType=\"Date\"")
    try workspace.write(
      """
      <mappingModel source="v4" destination="v5">
        <entityMapping source="Order" destination="Order">
          <attribute name="number" value="$source.number / 0"/>
        </entityMapping>
      </mappingModel>
      """, to: "Twice.xml")
    let result = try workspace.modelctl("mapping", "check", "Twice.xml", "--model", "Models/Orders.xcdatamodeld")
    #expect(result.status == 1, "\(result.standardError)")
    #expect(
      result.standardOutput.contains(
        "Twice.xml:2:3: error: Order.note changes from String to Date, and this is not inferred [mapping-undecided]\n"))
    #expect(
      result.standardOutput.contains(
        "Twice.xml:3:5: error: $source.number / 0: the divisor is zero [mapping-expression]\n"))
    #expect(!result.standardOutput.contains("fix: \n"))
  }

  @Test(
    "A mapping file that plan refuses has a finding, and a file without findings is planned",
    arguments: [
      (#"<attribute name="nope" sql="1"/>"#, "no expression or attribute uses the SQL in place of App.P.nope"),
      (#"<attribute name="title" sql="nofn(1)"/>"#, "title: sql “nofn(1)”: SQLite reports: no such function: nofn"),
      (#"<attribute name="title" sql="$source.nope"/>"#, "title: $source.nope: "),
      (#"<attribute name="title" sql="count(*)"/>"#, "title: sql “count(*)”: SQLite reports: misuse of aggregate"),
      (#"<function selector="foo:" sql="1"/>"#, "no expression or attribute uses the SQL in place of App.P.foo:"),
      (#"<attribute name="title" sql="$source.title"/>"#, nil), ("", nil),
    ] as [(String, String?)])
  func planned(replacement: String, words: String?) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1", rows: 2)
    try workspace.write(
      """
      <mappingModel source="v1" destination="v2">
        <policy class="App.P">\(replacement)</policy>
        <entityMapping source="Todo" destination="Todo" policy="App.P"/>
      </mappingModel>
      """, to: "Migrations/Todo/v1-v2.xml")
    let checked = try workspace.modelctl("mapping", "check", "Migrations/Todo/v1-v2.xml")
    let planned = try workspace.modelctl("plan", "todo.sqlite")
    #expect(planned.status == (words == nil ? 0 : 2), "\(planned)")
    #expect(checked.status == (words == nil ? 0 : 1), "\(checked)")
    if let words { #expect(checked.standardOutput.contains(words) && planned.standardError.contains(words)) }
  }

  @Test("A new mapping file that cannot be written is reported with its reason and advice")
  func unwritable() throws {
    let workspace = try SampleFolder()
    let command = ["mapping", "new", "Todo@v1", "Todo@v2", "--write"]
    let file = "error: Migrations/Todo/v1-v2.xml: cannot be written: "
    try workspace.shell("rm -r Migrations && touch Migrations")
    try Refusal.expect(
      command,
      says: ["\(file)“Migrations” is not a folder\n  Give that file another name; or print the text", "--write"],
      in: workspace)
    guard ProtectedFolder.isPossible else { return }
    try workspace.shell("rm Migrations && mkdir Migrations")
    let protection = ProtectedFolder(workspace.url.appendingPathComponent("Migrations"))
    defer { protection.lift() }
    try Refusal.expect(
      command,
      says: ["\(file)you may not write to the folder “Migrations”", "  chmod u+w Migrations\n  Or print the text"],
      in: workspace)
  }
}
