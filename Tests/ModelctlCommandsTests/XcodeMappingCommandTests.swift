import Foundation
import TestSupport
import Testing

@Suite("Mapping models in Xcode's form are written by the command line")
struct XcodeMappingCommandTests {
  @Test("A mapping file becomes an .xcmappingmodel that migrates the same rows and is found by its hashes")
  func convert() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("file.sqlite", version: "Orders@v4")
    try workspace.shell("cp file.sqlite xcode.sqlite")
    let byFile = try workspace.modelctl("migrate", "file.sqlite", "--to", "v5", "--allow-data-loss", "Customer")
    #expect(byFile.status == 0, "\(byFile)")
    let made = try workspace.modelctl(
      "mapping", "convert", "Migrations/Orders/v4-v5.xml", "--output", "App/V4toV5.xcmappingmodel")
    #expect(made.status == 0, "\(made)")
    #expect(made.standardOutput.contains("modelctl mapping check App/V4toV5.xcmappingmodel"))
    // What is inferred is left to Core Data, also the links to a customer, of which two entities are made.
    let bytes = try #require(workspace.contents()["App/V4toV5.xcmappingmodel/xcmapping.xml"])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("valueexpressiondata"), "\(text.components(separatedBy: "</databaseInfo>").last ?? "")")
    try workspace.shell("rm Migrations/Orders/v4-v5.xml")
    let checked = try workspace.modelctl("mapping", "check", "App/V4toV5.xcmappingmodel")
    #expect(checked.status == 0, "\(checked)")
    let plan = try workspace.modelctl("plan", "xcode.sqlite", "--to", "v5")
    #expect((plan.standardOutput + plan.standardError).contains("App/V4toV5.xcmappingmodel"), "\(plan)")
    let byXcode = try workspace.modelctl("migrate", "xcode.sqlite", "--to", "v5", "--allow-data-loss", "Customer")
    #expect(byXcode.status == 0, "\(byXcode)")
    let same = try workspace.modelctl("diff", "file.sqlite", "xcode.sqlite", "--data")
    #expect(same.status == 0 && same.standardOutput.contains("the same"), "\(same)")
  }

  @Test("A new .xcmappingmodel lists the open decisions, and its paths are relative to the project's folder")
  func new() throws {
    let workspace = try SampleFolder()
    try workspace.shell("rm -r Migrations && git init -q && mkdir Below")
    let words = "cd Below && modelctl mapping new Orders@v4 Orders@v5 --output ../V4toV5.xcmappingmodel"
    let made = try Modelctl.shell(words, in: workspace)
    #expect(made.status == 0, "\(made)")
    #expect(made.standardOutput.contains("2 decisions left to make in Xcode\n  "), "\(made)")
    let bytes = try #require(workspace.contents()["V4toV5.xcmappingmodel/xcmapping.xml"])
    #expect(String(decoding: bytes, as: UTF8.self).contains(">Models/Orders.xcdatamodeld/v4.xcdatamodel</attribute>"))
    let matrix = try workspace.modelctl("matrix", "--model", "Models/Orders.xcdatamodeld")
    #expect(matrix.standardOutput.contains("V4toV5.xcmappingmodel"), "\(matrix)")
  }

  @Test("Parts that such a file cannot express are refused together, and nothing is written")
  func refused() throws {
    let workspace = try SampleFolder()
    try workspace.write(
      """
      <mappingModel source="v4" destination="v5">
        <policy class="App.Policy"><attribute name="note" sql="'x'"/></policy>
        <drop name="Customer.email"/>
        <entityMapping source="Customer" destination="Customer">
          <attribute name="fullName" sql="'a'"/>
        </entityMapping>
        <entityMapping source="Order" destination="Order" policy="App.Policy">
          <attribute name="note" value="TERNARY($source.number > 3, 'a', 'b')"/>
        </entityMapping>
      </mappingModel>
      """, to: "Migrations/Orders/v4-v5.xml")
    let words = ["mapping", "convert", "Migrations/Orders/v4-v5.xml", "--output", "New.xcmappingmodel"]
    try Refusal.expect(
      words,
      says: [
        "New.xcmappingmodel: not written", "Customer.fullName: SQL", "Order.note: TERNARY",
        "a replacement of App.Policy",
      ], in: workspace)
    try workspace.shell("mkdir New.xcmappingmodel")
    try Refusal.expect(
      ["mapping", "new", "Orders@v4", "Orders@v5", "--output", "New.xcmappingmodel"],
      says: ["New.xcmappingmodel: already exists"], in: workspace)
    let other = try workspace.modelctl("mapping", "convert", "Migrations/Orders/v4-v5.xml", "--output", "New.xml")
    #expect(other.status == 64 && other.standardError.contains(".xcmappingmodel"), "\(other)")
    #expect(try workspace.contents()["New.xml"] == nil)
  }

  @Test("Only two versions of one bundle make a step")
  func steps() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    for (source, destination, words) in [
      ("Orders@v4", "Orders@v4", "Core Data treats them as the same version"),
      ("Orders@v4", "Todo@v2", "these belong to two bundles"),
      ("shop.sqlite", "Orders@v4", "two versions of one bundle"),
    ] {
      for options in [[], ["--write"], ["--output", "New.xcmappingmodel"]] {
        try Refusal.expect(
          ["mapping", "new", source, destination] + options, says: ["\(source), \(destination): ", words],
          in: workspace)
      }
    }
  }

  @Test("The decisions that --write leaves are listed with their lines")
  func decisions() throws {
    let workspace = try SampleFolder()
    try workspace.shell("rm -r Migrations")
    let made = try workspace.modelctl("mapping", "new", "Orders@v4", "Orders@v5", "--write").standardOutput
    let lines = made.split(separator: "\n").filter { $0.hasPrefix("  Migrations/Orders/v4-v5.xml:") }
    #expect(lines.count == 2, "\(made)")
    let head = "Migrations/Orders/v4-v5.xml: written; 2 decisions left to make, marked with DECIDE:\n  Migrations"
    #expect(made.hasPrefix(head))
  }

  @Test("A mapping file next to an equal .xcmappingmodel is accepted, and a different one is one finding")
  func both() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v4")
    let file = "Migrations/Orders/v4-v5.xml"
    let made = try workspace.modelctl("mapping", "convert", file, "--output", "App/V4toV5.xcmappingmodel")
    #expect(
      made.status == 0 && made.standardOutput.contains("delete one of the two mappings: \(file) maps the same step"),
      "\(made)")
    let plan = try workspace.modelctl("plan", "shop.sqlite", "--to", "v5")
    #expect(plan.status == 0, "\(plan)")
    let same = try workspace.modelctl("check", "--format", "json")
    #expect(!same.standardOutput.contains("mapping-ambiguous"), "\(same)")
    try workspace.edit(file, "email != nil OR phone != nil", "email != nil")
    let other = try workspace.modelctl("check").standardOutput
    #expect(other.components(separatedBy: "[mapping-ambiguous]").count == 2, "\(other)")
    #expect(
      other.contains(
        "\(file) maps v4 to v5 differently than App/V4toV5.xcmappingmodel; Core Data does not read mapping files, so it uses App/V4"
      ),
      "\(other)")
    try Refusal.expect(
      ["plan", "shop.sqlite", "--to", "v5"], says: [file, "App/V4toV5.xcmappingmodel"], in: workspace)
  }

  @Test("A file of Xcode's whose versions are not here keeps the models that it carries, and their paths")
  func elsewhere() throws {
    let workspace = try SampleFolder()
    let made = try workspace.modelctl("mapping", "new", "Orders@v4", "Orders@v5", "--output", "One.xcmappingmodel")
    #expect(made.status == 0, "\(made)")
    try workspace.shell("rm -r Models Migrations")
    let again = try workspace.modelctl("mapping", "convert", "One.xcmappingmodel", "--output", "Two.xcmappingmodel")
    #expect(again.status == 0, "\(again)")
    let files = try workspace.contents()
    let text = String(decoding: try #require(files["Two.xcmappingmodel/xcmapping.xml"]), as: UTF8.self)
    #expect(text.contains(">Orders.xcdatamodeld/v4.xcdatamodel</attribute>"), "\(text.prefix(3000))")
  }
}
