import Foundation
import TestSupport
import Testing

@Suite("Policy classes are replaced for all mapping models of a path")
struct PolicyReplacementTests {
  /// One class serves two mapping models, which call another function each.
  private static func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.edit(
      "Migrations/Orders/v4-v5.xml", "<entityMapping source=\"Customer\" destination=\"Customer\">",
      """
      <entityMapping source="Customer" destination="Customer" policy="App.P">
          <attribute name="fullName" value="FUNCTION($entityPolicy, 'one:', $source.fullName)"/>
      """)
    try workspace.edit(
      "Migrations/Orders/v5-v6.xml", "<entityMapping source=\"Customer\" destination=\"Customer\">",
      "<entityMapping source=\"Customer\" destination=\"Customer\" policy=\"App.P\">")
    try workspace.edit(
      "Migrations/Orders/v5-v6.xml", "canonical:($source.fullName)",
      "FUNCTION($entityPolicy, 'two:', $source.fullName)")
    try workspace.makeStore(version: "Orders@v4")
    return workspace
  }

  private static let configuration = """
    {
      "migratedBy": "modelctl",
      "policies": {
        "App.P": { "functions": { "one:": "upper($1)", "two:": "lower($1)" } }
      }
    }
    """

  private static func names(in workspace: SampleFolder) throws -> (full: [String], search: [String]) {
    let text = try workspace.modelctl("query", "shop.sqlite", "Customer", "--format", "json").standardOutput
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
    var objects: [[String: Any]] = []
    func collect(_ value: Any) {
      if let list = value as? [Any] { list.forEach(collect) }
      guard let object = value as? [String: Any] else { return }
      if object["fullName"] != nil { objects.append(object) } else { object.values.forEach(collect) }
    }
    collect(document)
    return (objects.compactMap { $0["fullName"] as? String }, objects.compactMap { $0["searchName"] as? String })
  }

  @Test("A replacement on the command line must be used by one mapping model of the path, not by each")
  func commandLine() throws {
    let workspace = try Self.workspace()
    let consent = ["--allow-data-loss", "Customer"]
    let command = ["migrate", "shop.sqlite", "--to", "v6"] + consent
    try Refusal.expect(
      command + ["--policy", "App.P=default"], says: ["Migrations/Orders/v4-v5.xml", "App.P lacks one:"], in: workspace)
    try Refusal.expect(
      command + ["--policy", "App.P/one:=$1", "--policy", "App.P/three:=$1"], says: ["App.P lacks two:"], in: workspace)
    try Refusal.expect(
      command + ["--policy", "App.P/one:=$1", "--policy", "App.P/two:=$1", "--policy", "App.P/three:=$1"],
      says: ["no expression or attribute uses the SQL in place of App.P.three:"], in: workspace)
    let checked = try workspace.modelctl("mapping", "check", "--policy", "App.P=default")
    #expect(checked.status == 1 && checked.standardOutput.contains("one:"), "\(checked)")
    #expect(checked.standardOutput.contains("two:"), "\(checked)")
    let policies = ["--policy", "App.P/one:=upper($1)", "--policy", "App.P/two:=lower($1)"]
    let migrated = try Modelctl.run(command + policies, in: workspace)
    #expect(migrated.status == 0, "\(migrated)")
    let names = try Self.names(in: workspace)
    #expect(names.full.count == 5 && names.full.allSatisfy { $0 == $0.uppercased() }, "\(names)")
    #expect(names.search == names.full.map { $0.lowercased() }, "\(names)")
  }

  @Test("Every command reads the project's replacements, also for Xcode's own files")
  func project() throws {
    let workspace = try Self.workspace()
    let made = try workspace.modelctl(
      "mapping", "convert", "Migrations/Orders/v4-v5.xml", "--output", "App/V4toV5.xcmappingmodel")
    #expect(made.status == 0, "\(made)")
    try workspace.shell("rm Migrations/Orders/v4-v5.xml")
    try Refusal.expect(["plan", "shop.sqlite", "--to", "v6"], says: ["App.P"], in: workspace)
    try workspace.write(Self.configuration, to: ".modelctl.json")
    let checked = try workspace.modelctl("mapping", "check")
    #expect(checked.status == 0 && !checked.standardOutput.contains("policy"), "\(checked)")
    #expect(try !workspace.modelctl("check").standardOutput.contains("App.P"))
    #expect(try workspace.modelctl("plan", "shop.sqlite", "--to", "v6").status == 0)
    let rehearsed = try workspace.modelctl(
      "rehearse", "--model", "Models/Orders.xcdatamodeld", "--from", "v4", "--rows", "3")
    #expect(rehearsed.status == 0, "\(rehearsed)")
    let migrated = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v6", "--allow-data-loss", "Customer")
    #expect(migrated.status == 0, "\(migrated)")
    let names = try Self.names(in: workspace)
    #expect(names.full.count == 5 && names.search == names.full.map { $0.lowercased() }, "\(names)")
    // A mapping model is converted as it is.
    let converted = try workspace.modelctl("mapping", "convert", "App/V4toV5.xcmappingmodel")
    #expect(converted.status == 0 && !converted.standardOutput.contains("upper"), "\(converted)")
  }

  @Test(
    "Every command has the same result with a replacement for Xcode's file, and lock needs consent for the findings of check"
  )
  func alike() throws {
    let workspace = try Self.workspace()
    try workspace.edit(
      "Migrations/Orders/v5-v6.xml", "destination=\"Order\">",
      "destination=\"Order\"><attribute name=\"note\" default=\"yes\"/>")
    try workspace.shell(
      """
      modelctl mapping convert Migrations/Orders/v5-v6.xml --output App/V5toV6.xcmappingmodel \
      && rm Migrations/Orders/v5-v6.xml Models/Orders.lock.json
      """)
    try workspace.write(Self.configuration, to: ".modelctl.json")
    let consents = ["Customer.email", "Customer.phone"].flatMap { ["--allow-data-loss", $0] }
    #expect(try Modelctl.run(["lock"] + (1...4).map { "Orders@v\($0)" }, in: workspace).status == 0)
    #expect(try Modelctl.run(["lock", "Orders@v5"] + consents, in: workspace).status == 0)
    #expect(try workspace.modelctl("lock", "--draft", "Orders@v6").status == 0)
    let sentence = "no expression reads the values of Order.note"
    let checked = try workspace.modelctl("check")
    #expect(checked.status == 1 && checked.standardOutput.contains(sentence), "\(checked)")
    try Refusal.expect(["lock", "Orders@v6"], says: [sentence, "--allow-data-loss Order.note"], in: workspace)
    #expect(try workspace.modelctl("lock", "Orders@v6", "--allow-data-loss", "Order.note").status == 0)
    #expect(try workspace.modelctl("check").status == 0)
    let matrix = try workspace.modelctl("matrix", "Models/Orders.xcdatamodeld").standardOutput
    #expect(matrix.contains("15 pairs: 6 lightweight, 9") && !matrix.contains("impossible"), "\(matrix)")
    #expect(try workspace.modelctl("status", "shop.sqlite").status == 0)
    #expect(try workspace.modelctl("plan", "shop.sqlite", "--allow-data-loss", "Order.note").status == 0)
    #expect(try workspace.modelctl("rehearse", "--model", "Models/Orders.xcdatamodeld", "--rows", "2").status == 0)
    #expect(try workspace.modelctl("migrate", "shop.sqlite", "--allow-data-loss", "Order.note").status == 0)
    // Without the replacement all say no.
    try workspace.write(#"{ "migratedBy": "modelctl" }"#, to: ".modelctl.json")
    try workspace.shell("rm shop.sqlite* && modelctl create shop.sqlite --version Orders@v4 --rows 2")
    #expect(try workspace.modelctl("status", "shop.sqlite").status == 1)
    #expect(try workspace.modelctl("check").standardError.contains("path not proved"))
    #expect(try workspace.modelctl("rehearse", "--model", "Models/Orders.xcdatamodeld", "--rows", "2").status == 1)
    for command in ["plan", "migrate"] { try Refusal.expect([command, "shop.sqlite"], says: ["App.P"], in: workspace) }
  }

  @Test("One mapping model may have SQL of its own, and a slip in the setting is reported with its place")
  func own() throws {
    let workspace = try Self.workspace()
    try workspace.write(
      """
      { "policies": { "P": {
        "functions": { "one:": "upper($1)", "two:": "$1" },
        "mappings": { "Migrations/Orders/v5-v6.xml": { "functions": { "two:": "'own'" } } } } } }
      """, to: ".modelctl.json")
    let migrated = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v6", "--allow-data-loss", "Customer")
    #expect(migrated.status == 0, "\(migrated)")
    #expect(try Set(Self.names(in: workspace).search) == ["own"])
    try workspace.write(
      Self.configuration.replacing("\"two:\"", with: "\"twice:\": \"$1\", \"two:\""), to: ".modelctl.json")
    let slip = try workspace.modelctl("mapping", "check")
    #expect(
      slip.status == 2
        && slip.standardError.contains(".modelctl.json: no mapping model uses App.P/twice:; remove its replacement"),
      "\(slip)")
    for (text, words) in [
      ("{\"policies\": {\"P\": \"defualt\"}}", "1:20: “defualt” is not a replacement"),
      ("{\"policies\": {\"P\": {\"functions\": {\"a:\": \"\"}}}}", "the SQL of “a:” is empty"),
      ("{\"policies\": {\"P\": {\"mappings\": {\"No.xml\": \"default\"}}}}", "“No.xml” does not exist"),
      ("{\"policies\": {\"P\": {\"function\": {}}}}", "function"),
      ("{\"policies\": []}", "a list"),
    ] {
      try workspace.write(text, to: ".modelctl.json")
      try Refusal.expect(["mapping", "check"], says: [".modelctl.json:", words], in: workspace)
    }
  }
}
