import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("A model to read or to hear")
struct ShowTests {
  /// A model with everything in it.
  static let contents = """
    <model userDefinedModelVersionIdentifier="7">
      <entity name="Place" representedClassName=".Place" parentEntity="Thing" elementID="Location"
        versionHashModifier="two" codeGenerationType="class">
        <attribute name="address" attributeType="Composite" composite="Address"/>
        <attribute name="code" optional="YES" attributeType="String" minValueString="1" maxValueString="9"
          regularExpressionString="[a-z]+" defaultValueString="" spotlightIndexingEnabled="YES"/>
        <attribute name="count" attributeType="Integer 32" derived="YES" derivationExpression="visits.@count"
          optional="YES"/>
        <attribute name="opened" attributeType="Date" defaultDateTimeInterval="0" usesScalarValueType="NO"/>
        <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"
          preserveAfterDeletion="YES"/>
        <attribute name="rank" attributeType="Integer 16" minValueString="1" maxValueString="5"
          defaultValueString="3"/>
        <attribute name="shape" optional="YES" transient="YES" attributeType="Transformable"
          valueTransformerName="ShapeTransformer" customClassName="Shape">
          <userInfo><entry key="unit" value="metres"/></userInfo>
        </attribute>
        <relationship name="guide" maxCount="1" deletionRule="Deny" destinationEntity="Visit"/>
        <relationship name="visits" optional="YES" toMany="YES" minCount="2" maxCount="9" ordered="YES"
          deletionRule="Cascade" destinationEntity="Visit" inverseName="place" inverseEntity="Visit"/>
        <fetchedProperty name="recent" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Visit" predicateString="day > 1" fetchLimit="2"/>
        </fetchedProperty>
        <fetchIndex name="byCode" partialIndexPredicate="code != nil">
          <fetchIndexElement property="code" type="Binary" order="descending"/>
          <fetchIndexElement property="rank" type="RTree" order="ascending"/>
        </fetchIndex>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="code"/><constraint value="rank"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Thing" representedClassName="Thing" isAbstract="YES"/>
      <entity name="Visit">
        <attribute name="day" attributeType="Integer 64" defaultValueString="0"/>
        <relationship name="place" maxCount="1" optional="YES" deletionRule="Nullify" destinationEntity="Place"
          inverseName="visits" inverseEntity="Place"/>
      </entity>
      <composite name="Address">
        <attribute name="street" optional="YES" attributeType="String"/>
      </composite>
      <fetchRequest name="all" entity="Visit" predicateString="TRUEPREDICATE"/>
      <configuration name="Cloud"><memberEntity name="Visit"/></configuration>
    </model>
    """

  static let text = """
    contents: 3 entities.
    version identifier 7.

    entity Place, inherits from Thing.
      class Place of the current module.
      renaming identifier Location.
      version hash modifier two.
      attribute address, composite Address, required.
      attribute code, String, optional.
        default empty text.
        minimum length 1.
        maximum length 9.
        matches "[a-z]+".
        indexed by Spotlight.
      attribute count, Integer 32, optional.
        derived from "visits.@count".
      attribute opened, Date, required.
        default 2001-01-01T00:00:00Z.
      attribute picture, Binary, optional.
        allows external storage.
        preserved after deletion.
      attribute rank, Integer 16, required.
        default 3.
        minimum 1.
        maximum 5.
      attribute shape, Transformable, optional, transient.
        value transformer ShapeTransformer.
        value class Shape.
        user info unit: "metres".
      relationship guide, to-one Visit, required.
        no inverse.
        delete rule Deny.
      relationship visits, ordered to-many Visit, optional.
        inverse place.
        delete rule Cascade.
        at least 2.
        at most 9.
      fetched property recent, optional.
        fetches Visit.
        where "day > 1".
        fetch limit 2.
      unique by code, rank.
      index byCode.
        by code, descending.
        by rank, ascending, as R-tree.
        only rows where "code != nil".

    entity Thing, abstract.

    entity Visit.
      attribute day, Integer 64, required.
        default 0.
      relationship place, to-one Place, optional.
        inverse visits.
        delete rule Nullify.

    composite type Address.
      element street, String, optional.

    fetch request all.
      fetches Visit.
      where "TRUEPREDICATE".

    configuration Cloud, 1 entity.
      entity Visit.

    """

  @Test("A minimum count of a to-one relationship is shown, because it enters the hash")
  func leastCount() throws {
    let workspace = try SampleFolder()
    let link = "<relationship name=\"a\" maxCount=\"1\" destinationEntity=\"A\"/>"
    for (name, contents) in [("without", link), ("with", link.replacing("maxCount", with: "minCount=\"1\" maxCount"))] {
      try workspace.write("<model><entity name=\"A\">\(contents)</entity></model>", to: name)
    }
    #expect(!(try workspace.modelctl("show", "without").standardOutput.contains("at least")))
    #expect(try workspace.modelctl("show", "with").standardOutput.contains("\n    at least 1.\n"))
    #expect(
      try workspace.modelctl("hash", "with").standardOutput != workspace.modelctl("hash", "without").standardOutput)
  }

  @Test("Every fact of a model has its line")
  func everything() throws {
    let workspace = try SampleFolder()
    try workspace.write(Self.contents, to: "contents")
    let result = try workspace.modelctl("show", "contents")
    #expect(result.standardOutput == Self.text)
    #expect(result.standardError == "")
  }

  @Test("One entity is shown with its parts, and JSON is restricted in the same way")
  func oneEntity() throws {
    let workspace = try SampleFolder()
    try workspace.write(Self.contents, to: "contents")
    let result = try workspace.modelctl("show", "contents", "--entity", "Visit")
    #expect(
      result.standardOutput == """
        contents: 1 of 3 entities.
        version identifier 7.

        entity Visit.
          attribute day, Integer 64, required.
            default 0.
          relationship place, to-one Place, optional.
            inverse visits.
            delete rule Nullify.

        fetch request all.
          fetches Visit.
          where "TRUEPREDICATE".

        configuration Cloud, 1 entity.
          entity Visit.

        """)
    let place = try workspace.modelctl("show", "contents", "--entity", "Place", "--brief", "--entity", "Thing")
    #expect(
      place.standardOutput == """
        contents: 2 of 3 entities.
        entity Place, inherits from Thing, 7 attributes, 2 relationships, 1 fetched property.
        entity Thing, abstract.

        """)
    let json = try workspace.modelctl("show", "contents", "--entity", "Place", "--format", "json").standardOutput
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    #expect(document["entities"]?.elements.map { $0["name"] } == [.string("Place")])
    #expect(document["composites"]?.elements.map { $0["name"] } == [.string("Address")])
    #expect(document["configurations"]?.elements == [])
  }

  @Test("An unknown entity is refused with the names that are near")
  func unknown() throws {
    let result = try SampleFolder().modelctl("show", "Orders@v6", "--entity", "Ordr")
    #expect(result.status == 2)
    #expect(result.standardOutput == "")
    #expect(
      result.standardError
        == "error: v6 has no entity “Ordr”; nearest: Order\n")
  }

  /// Characters that a voice would spell out, or layout for the eye.
  private static func faults(in text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return zip(lines, [""] + lines).flatMap { line, before -> [String] in
      // A command has the line after its words to itself, without a full stop.
      guard !line.isEmpty, !before.hasSuffix(":") else { return [] }
      let words = line.drop { $0 == " " }
      // What stands between quotation marks is somebody's own.
      let isArt = line.replacing(/"[^"]*"/, with: "").unicodeScalars.contains {
        (0x2190...0x21FF).contains($0.value) || (0x2500...0x25FF).contains($0.value) || $0.value < 0x20
          || "…“”".unicodeScalars.contains($0)
      }
      return (isArt ? ["sign: \(line)"] : []) + (words.contains("  ") ? ["alignment: \(line)"] : [])
        + ([".", "?", "!", ":"].contains(line.last) ? [] : ["no pause: \(line)"])
    }
  }

  @Test(
    "No sign, alignment or colour in accessible text: samples",
    arguments: [
      "show Orders@v6", "show Staff@v2 --brief", "diff Orders@v1 Orders@v6 --plain", "diff Todo@v1 Family@v2 --plain",
      "diff Company@v1 Company@v1 --plain",
    ])
  func samples(_ command: String) throws {
    let result = try Modelctl.run(command.split(separator: " ").map(String.init), in: SampleFolder())
    #expect(!result.standardOutput.isEmpty)
    #expect(Self.faults(in: result.standardOutput) == [])
  }

  @Test(
    "No sign, alignment or colour in accessible text: every model of the corpus, and steps between versions",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var (models, steps, lines) = (0, 0, 0)
    var former: (bundle: String, model: ManagedObjectModel)?
    let files = Corpus.files(in: "models", where: { $0 == "contents" })
    let bundles = Dictionary(grouping: files) { $0.deletingLastPathComponent().deletingLastPathComponent() }
    let chosen = CorpusSample.of(bundles.keys.sorted { $0.path < $1.path }, atMost: 8)
    for url in chosen.flatMap({ bundles[$0] ?? [] }) {
      guard let model = try? ContentsReader.read(fileAt: url.path).model else { continue }
      let text = ModelReport(name: "model", model: model).text
      #expect(Self.faults(in: text) == [], "\(url.path)")
      models += 1
      lines += text.split(separator: "\n").count
      let bundle = url.deletingLastPathComponent().deletingLastPathComponent().path
      if let former, former.bundle == bundle, let old = try? EntityHierarchy(former.model),
        let new = try? EntityHierarchy(model)
      {
        let report = DifferenceReport(
          from: "a", to: "b", ModelStep(from: old, to: new))
        #expect(Self.faults(in: report.plainText) == [], "\(url.path)")
        steps += 1
      }
      former = (bundle, model)
    }
    print("read aloud: \(CorpusSample.scope(models, of: files.count)) models of \(lines) lines, \(steps) steps")
    #expect(models > CorpusSample.least(100, sampled: 30) && steps > CorpusSample.least(50, sampled: 15))
  }

  @Test("A changed setting is described in a sentence, in the plural if it has several parts")
  func sentences() throws {
    let workspace = try SampleFolder()
    for (version, contents) in [
      ("v1", "<model userDefinedModelVersionIdentifier=\"1\"><entity name=\"A\"/></model>"),
      (
        "v2",
        "<model userDefinedModelVersionIdentifier=\"2\"><entity name=\"A\" representedClassName=\"B\"/></model>"
      ),
    ] { try workspace.write(contents, to: "App/M.xcdatamodeld/\(version).xcdatamodel/contents") }
    let result = try workspace.modelctl("diff", "v1", "v2", "--plain", "--model", "App/M.xcdatamodeld")
    #expect(
      result.standardOutput == """
        from v1 to v2: 2 changes.
        the same version, so no store migrates.

        without effect on hash and rows.
          A: class name changes from none to B.
          model: version identifiers change from 1 to 2.

        """)
  }

  @Test(
    "A refusal names Core Data as its origin for a respelled name",
    arguments: [
      ("Core Data", "when\" attributeType=\"Integer 16", "when\" attributeType=\"Date"),
      ("modelctl", "caf\u{E9}\" attributeType=\"Date", "cafe\u{301}\" attributeType=\"Date"),
    ])
  func refusals(who: String, old: String, new: String) throws {
    let workspace = try SampleFolder()
    for (file, attribute) in [("old", old), ("new", new)] {
      try workspace.write(
        "<model><entity name=\"A\"><attribute name=\"\(attribute)\"/></entity></model>", to: file)
    }
    for form in [[], ["--plain"]] {
      let text = try Modelctl.run(["diff", "old", "new"] + form, in: workspace).standardOutput
      #expect(text.contains("\n\(who) cannot infer the migration: A."), "\(text)")
    }
  }

  @Test("Findings are also printed in lines, without the source line")
  func findings() throws {
    let workspace = try SampleFolder()
    try workspace.write(
      "<model>\n<entity name=\"A\"><relationship name=\"b\" toMany=\"YES\" destinationEntity=\"C\"/></entity></model>",
      to: "App/Broken.xcdatamodel/contents")
    let result = try workspace.modelctl("check", "App", "--plain")
    #expect(result.status == 1)
    #expect(Self.faults(in: result.standardOutput) == [])
    #expect(
      result.standardOutput.hasSuffix(
        """

        error: the destination "C" of relationship A.b is not in the model.
          in App/Broken.xcdatamodel/contents, line 2, column 18.
          rule unknown-destination.
          Fix: remove the relationship.

        """), "\(result.standardOutput)")
    #expect(try workspace.modelctl("check", "Models/Todo.xcdatamodeld", "--plain").standardOutput == "")
  }

  @Test("Hostile names have no effect on lines or the terminal")
  func hostile() throws {
    let workspace = try SampleFolder()
    try workspace.write(HostileNames.contents, to: "contents")
    for command in ["show contents", "show contents --brief", "diff contents Models/Todo.xcdatamodeld --plain"] {
      let result = try Modelctl.run(command.split(separator: " ").map(String.init), in: workspace)
      #expect(result.status == 0, "\(result.standardError)")
      let faults = Self.faults(in: result.standardOutput).filter { !$0.hasPrefix("alignment") }
      #expect(faults == [], "\(command)")
      for line in result.standardOutput.split(separator: "\n") {
        #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      }
    }
  }

  @Test("A composite attribute without a composite type shows its own elements")
  func elements() throws {
    var address = AttributeDescription(name: "address", type: .composite)
    address.elements = [
      AttributeDescription(name: "town", type: .string), AttributeDescription(name: "code", type: .integer16),
    ]
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Place", attributes: [address])])
    let report = ModelReport(name: "store", model: model)
    #expect(
      report.text.contains(
        """
          attribute address, Composite, required.
            element code, Integer 16, required.
            element town, String, required.
        """), "\(report.text)")
    #expect(try JSONText.encode(report).contains("\"name\" : \"town\""))
  }
}
