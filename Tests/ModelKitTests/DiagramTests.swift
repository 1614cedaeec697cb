import Foundation
import ModelFiles
import ModelKit
import TestSupport
import Testing

@Suite("Pictures of models")
struct DiagramTests {
  private static func hierarchy(_ contents: String) throws -> EntityHierarchy {
    try EntityHierarchy(try ContentsReader.read(Data(contents.utf8), path: "contents").model)
  }

  private static func difference(_ former: String, _ latter: String) throws -> Diagram {
    let (old, new) = (try hierarchy(former), try hierarchy(latter))
    return Diagram(from: "v1", to: "v2", ModelStep(from: old, to: new))
  }

  private static let former = """
    <model>
      <entity name="Customer">
        <attribute name="name" attributeType="String"/>
        <attribute name="phone" optional="YES" attributeType="String"/>
        <relationship name="orders" optional="YES" toMany="YES" destinationEntity="Order" inverseName="customer"/>
        <relationship name="cards" optional="YES" toMany="YES" destinationEntity="Card" inverseName="holder"/>
      </entity>
      <entity name="Order">
        <attribute name="number" attributeType="Integer 32" defaultValueString="0"/>
        <relationship name="customer" maxCount="1" destinationEntity="Customer" inverseName="orders"/>
      </entity>
      <entity name="Card">
        <attribute name="code" attributeType="String"/>
        <relationship name="holder" optional="YES" maxCount="1" destinationEntity="Customer" inverseName="cards"/>
      </entity>
    </model>
    """

  private static let latter = """
    <model>
      <entity name="Client" elementID="Customer" parentEntity="Person">
        <attribute name="fullName" elementID="name" attributeType="String"/>
        <relationship name="orders" optional="YES" toMany="YES" destinationEntity="Order" inverseName="customer"/>
      </entity>
      <entity name="Order">
        <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
        <attribute name="note" optional="YES" attributeType="String"/>
        <relationship name="customer" optional="YES" maxCount="1" destinationEntity="Client" inverseName="orders"/>
        <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Order"/>
      </entity>
      <entity name="Person" isAbstract="YES"/>
    </model>
    """

  @Test("A relationship and its inverse are one line, inheritance is another kind")
  func lines() throws {
    let diagram = Diagram(name: "v2", model: try Self.hierarchy(Self.latter))
    #expect(
      MermaidDiagram(diagram).text == """
        classDiagram
          accTitle: v2
          accDescr: 3 entities, 2 relationships, 1 inheritance
          direction LR
          class e1["Client"] {
            fullName: String
          }
          class e2["Order"] {
            note: String#63;
            number: Integer 64
          }
          class e3["Person"] {
            <<abstract>>
          }
          e3 <|-- e1
          e1 "0..1" -- "0..*" e2 : orders / customer
          e2 --> "0..*" e2 : parts

        """)
  }

  @Test("A difference shows removed elements next to new elements, and marks both")
  func marks() throws {
    let diagram = try Self.difference(Self.former, Self.latter)
    #expect(
      MermaidDiagram(diagram).text == """
        classDiagram
          accTitle: v1 to v2
          accDescr: 4 entities, 3 relationships, 1 inheritance, entities: 1 added, 1 removed, 2 changed. \
        Card: removed. Client: renamed from Customer, superentity changes from none to Person. \
        Client.fullName: renamed from name. Client.phone: removed. Order.note: added. \
        Order.number: type changes from Integer 32 to Integer 64. Person: added. \
        Client inherits from Person: added. Order.customer: optional changes from no to yes. Order.parts: added. \
        Card.holder: removed. Client.cards: removed
          direction LR
          class e1["Card"] {
            <<removed>>
            code: String
          }
          class e2["Client"] {
            <<renamed from Customer#59; superentity changes from none to Person>>
            fullName: String #40;renamed from name#41;
            phone: String#63; #40;removed#41;
          }
          class e3["Order"] {
            <<changed>>
            note: String#63; #40;added#41;
            number: Integer 64 #40;type changes from Integer 32 to Integer 64#41;
          }
          class e4["Person"] {
            <<abstract, added>>
          }
          e4 <|-- e2 : added
          e2 "0..1" .. "0..*" e3 : changed orders / customer #40;optional changes from no to yes#41;
          e3 --> "0..*" e3 : added parts
          e1 "0..*" .. "0..1" e2 : removed holder / cards
          style e1 fill:#fbe6e6,stroke:#8f1717,color:#111111,stroke-dasharray:8 4
          style e2 fill:#fdf3d7,stroke:#6b4700,color:#111111,stroke-dasharray:2 2
          style e3 fill:#fdf3d7,stroke:#6b4700,color:#111111,stroke-dasharray:2 2
          style e4 fill:#e3f6e5,stroke:#135c26,color:#111111,stroke-width:4px

        """)
    #expect(
      diagram.outline.text == """
        v1 to v2.
        4 entities, 3 relationships, 1 inheritance; entities: 1 added, 1 removed, 2 changed.

        entity Card, removed.
          code, String, required.
          relationship holder to Client, 0 or 1: removed.

        entity Client, renamed from Customer; superentity changes from none to Person.
          fullName, String, required: renamed from name.
          phone, String, optional: removed.
          inherits from Person: added.
          relationship orders to Order, any number.
          relationship cards to Card, any number: removed.

        entity Order, changed.
          note, String, optional: added.
          number, Integer 64, required: type changes from Integer 32 to Integer 64.
          relationship customer to Client, 0 or 1: optional changes from no to yes.
          relationship parts to Order, any number: added.

        entity Person, abstract, added.

        """)
  }

  @Test("A change without effect on hash and rows has no mark")
  func withoutEffect() throws {
    let identified = Self.former.replacing(
      "<attribute name=\"name\"", with: "<attribute name=\"name\" elementID=\"name\"")
    let diagram = try Self.difference(Self.former, identified)
    #expect(diagram.nodes.allSatisfy { $0.mark == nil && $0.rows.allSatisfy { $0.mark == nil } })
    #expect(diagram.edges.allSatisfy { $0.mark == nil })
  }

  @Test("DBML has a column for an object's identity and for each link to one")
  func dbml() throws {
    #expect(
      DBMLDiagram(try Self.difference(Self.former, Self.latter)).text == """
        // v1 to v2: 4 entities, 3 relationships, 1 inheritance; entities: 1 added, 1 removed, 2 changed

        Table "Card" {
          "objectID" ObjectID [pk]
          "code" "String" [not null]
          "holder" "ObjectID" [null, note: 'removed holder / cards']

          Note: 'removed'
        }

        Table "Client" {
          "objectID" ObjectID [pk]
          "fullName" "String" [not null, note: 'renamed from name']
          "phone" "String" [null, note: 'removed']

          Note: 'renamed from Customer; superentity changes from none to Person'
        }

        Table "Order" {
          "objectID" ObjectID [pk]
          "note" "String" [null, note: 'added']
          "number" "Integer 64" [not null, note: 'type changes from Integer 32 to Integer 64']
          "customer" "ObjectID" [null, note: 'changed orders / customer (optional changes from no to yes)']

          Note: 'changed'
        }

        Table "Person" {
          "objectID" ObjectID [pk]

          Note: 'abstract; added'
        }

        Ref: "Client"."objectID" - "Person"."objectID"
        Ref: "Order"."customer" > "Client"."objectID"
        // added parts
        // "Order"."objectID" <> "Order"."objectID"
        Ref: "Card"."holder" > "Client"."objectID"

        """)
  }

  @Test("Marks have line styles of their own in DOT: thick, dashed, dotted")
  func dot() throws {
    let text = DOTDiagram(try Self.difference(Self.former, Self.latter)).text
    let lines = text.split(separator: "\n").map(String.init)
    for (start, style) in [
      ("  e1 [", "style=\"filled,dashed\""), ("  e2 [", "style=\"filled,dotted\""), ("  e4 [", "style=\"filled,bold\""),
      ("  e1 -> e2 [", "style=dashed"), ("  e2 -> e3 [", "style=dotted"), ("  e3 -> e3 [", "style=bold"),
    ] {
      #expect(lines.contains { $0.hasPrefix(start) && $0.contains(style) }, "\(start) \(style)")
    }
    #expect(text.contains("<S>phone: String?</S><BR ALIGN=\"LEFT\"/><I>removed</I>"))
    #expect(text.contains("label=<removed<BR/>holder<BR/>cards>"))
    #expect(text.contains("arrowtail=crowodot, arrowhead=teeodot"))
  }

  @Test("The picture in the documentation equals the output of the command")
  func documentation() throws {
    let page = Transcript.tests.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/reference/commands/diagram.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    let printed = try SampleFolder().modelctl("diagram", "Orders@v6").standardOutput
    #expect(text.contains("```mermaid\n\(printed)```\n"))
  }

  @Test("DBML takes two columns once: a second link of them is a comment")
  func linkedAgain() throws {
    let workspace = try SampleFolder()
    try workspace.write(
      """
      <model>
        <entity name="Post" parentEntity="User">
          <relationship name="likers" optional="YES" toMany="YES" destinationEntity="User" inverseName="likes"/>
          <relationship name="readers" optional="YES" toMany="YES" destinationEntity="User" inverseName="reads"/>
        </entity>
        <entity name="Tag">
          <relationship name="as" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="as"/>
          <relationship name="bs" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="bs"/>
        </entity>
        <entity name="Topic">
          <relationship name="as" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="as"/>
          <relationship name="bs" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="bs"/>
        </entity>
        <entity name="User">
          <relationship name="likes" optional="YES" toMany="YES" destinationEntity="Post" inverseName="likers"/>
          <relationship name="reads" optional="YES" toMany="YES" destinationEntity="Post" inverseName="readers"/>
        </entity>
      </model>
      """, to: "contents")
    let text = try workspace.modelctl("diagram", "contents", "--format", "dbml").standardOutput
    #expect(try DBMLSyntax(text).faults == [])
    #expect(
      text.hasSuffix(
        """
        Ref: "Post"."objectID" - "User"."objectID"
        // likers / likes
        // "Post"."objectID" <> "User"."objectID"
        // readers / reads
        // "Post"."objectID" <> "User"."objectID"
        // as / as
        Ref: "Tag"."objectID" <> "Topic"."objectID"
        // bs / bs
        // "Tag"."objectID" <> "Topic"."objectID"

        """), "\(text)")
  }

  @Test("A single entity is shown with the entities it is linked to")
  func focus() throws {
    let workspace = try SampleFolder()
    let text = try workspace.modelctl("diagram", "Orders@v6", "--entity", "Contact").standardOutput
    let syntax = try MermaidSyntax(text)
    #expect(syntax.faults == [] && syntax.classes.count == 2 && syntax.relations == 1)
    let unknown = try workspace.modelctl("diagram", "Orders@v6", "--entity", "Contract")
    #expect(unknown.status == 2 && unknown.standardOutput.isEmpty)
    #expect(unknown.standardError.hasPrefix("error: v6 has no entity “Contract”; nearest: Contact"))
  }

  @Test("Hostile names end nothing, in any format")
  func hostile() throws {
    let workspace = try SampleFolder()
    try workspace.write(HostileNames.contents, to: "contents")
    let mermaid = try MermaidSyntax(try workspace.modelctl("diagram", "contents").standardOutput)
    #expect(mermaid.faults == [] && mermaid.classes.count == HostileNames.all.count)
    #expect(mermaid.relations == HostileNames.all.count)
    let dbml = try DBMLSyntax(try workspace.modelctl("diagram", "contents", "--format", "dbml").standardOutput)
    #expect(dbml.faults == [] && dbml.tables.count == HostileNames.all.count)
    #expect(dbml.references == HostileNames.all.count)
    let page = try workspace.modelctl("diagram", "contents", "Models/Todo.xcdatamodeld", "--html")
    #expect(page.status == 0, "\(page.standardError)")
    #expect(try PageStructure(page.standardOutput).faults == [])
    let alone = try workspace.modelctl("diagram", "contents", "--format", "html").standardOutput
    #expect(try PageStructure(alone).faults == [])
    #expect(!alone.contains("<script>alert") && alone.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
  }

  @Test("Hostile names through Graphviz", .enabled(if: Installed.dot, Comment(rawValue: Installed.noDot)))
  func hostileDrawn() throws {
    let workspace = try SampleFolder()
    try workspace.write(HostileNames.contents, to: "contents")
    let result = try workspace.modelctl(
      "diagram", "contents", "--format", "svg=e.svg", "--format", "png=e.png", "--format", "dot=e.dot")
    #expect(result.status == 0, "\(result.standardError)")
    let svg = try Data(contentsOf: workspace.url.appendingPathComponent("e.svg"))
    let root = try MarkupReader.read(svg, path: "e.svg")
    #expect(root.name == "svg" && root[attribute: "role"] == "img")
    #expect(root.children.prefix(2).map(\.name) == ["title", "desc"])
    let text = String(decoding: svg, as: UTF8.self)
    #expect(!text.contains("<script") && !text.contains("<a "))
    let png = try Data(contentsOf: workspace.url.appendingPathComponent("e.png"))
    #expect(png.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let boxes = try Modelctl.shell("dot -Tplain e.dot | grep -c '^node'", in: workspace).standardOutput
    #expect(boxes == "\(HostileNames.all.count)\n")
  }

  @Test("A diagram that is too large for Mermaid on GitHub has a note")
  func limit() throws {
    let workspace = try SampleFolder()
    let entities = (0..<600).map { number in
      "<entity name=\"E\(number)\"><relationship name=\"r\" maxCount=\"1\" destinationEntity=\"E0\"/></entity>"
    }
    try workspace.write("<model>\(entities.joined())</model>", to: "contents")
    let result = try workspace.modelctl("diagram", "contents")
    #expect(result.status == 0)
    #expect(
      result.standardError == """
        warning: 600 lines are more than the 500 that Mermaid draws, so GitHub shows an error; \
        draw fewer entities with --entity NAME

        """)
  }

  @Test(
    "Every model of the corpus in every format, and steps between versions",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var (models, steps, boxes) = (0, 0, 0)
    var former: (bundle: String, model: EntityHierarchy)?
    let files = Corpus.files(in: "models", where: { $0 == "contents" })
    let chosen = Thoroughness.positions(of: files.count, atMost: 4)
    for (position, url) in files.enumerated() {
      guard let model = try? ContentsReader.read(fileAt: url.path).model, let new = try? EntityHierarchy(model) else {
        continue
      }
      let isChosen = chosen.contains(position)
      if isChosen { try check(Diagram(name: "model", model: new), entities: model.entities.count, "\(url.path)") }
      (models, boxes) = (models + 1, boxes + model.entities.count)
      let bundle = url.deletingLastPathComponent().deletingLastPathComponent().path
      if let former, former.bundle == bundle {
        let step = ModelStep(from: former.model, to: new)
        let diagram = Diagram(from: "a", to: "b", step)
        if isChosen { try check(diagram, entities: nil, "\(url.path)") }
        // A picture of a difference has marks exactly where something but consequences changed.
        let isChanged = diagram.nodes.contains { $0.mark != nil }
        #expect(isChanged || step.changes.allSatisfy { !$0.changesHash }, "\(url.path)")
        steps += 1
      }
      former = (bundle, new)
    }
    print("pictures: \(models) models of \(boxes) entities, \(steps) differences, written in \(chosen.count)")
    #expect(models > 100 && steps > 50)
  }

  private func check(_ diagram: Diagram, entities: Int?, _ place: String) throws {
    let mermaid = try MermaidSyntax(MermaidDiagram(diagram).text)
    #expect(mermaid.faults == [] && mermaid.classes.count == entities ?? diagram.nodes.count, "\(place)")
    let dbml = try DBMLSyntax(DBMLDiagram(diagram).text)
    #expect(dbml.faults == [] && dbml.tables.count == diagram.nodes.count, "\(place)")
    #expect(mermaid.relations == diagram.edges.count, "\(place)")
  }

  @Test(
    "The largest models of the corpus through Graphviz and into a page",
    .enabled(
      if: Corpus.isPresent && Installed.dot, "needs the corpus (MODELCTL_CORPUS) and Graphviz (package graphviz)"))
  func largest() throws {
    let files = Corpus.files(in: "models", where: { $0 == "contents" }).compactMap { url in
      (try? ContentsReader.read(fileAt: url.path).model.entities.count).map { (url, $0) }
    }
    let workspace = try SampleFolder()
    let largest = files.sorted { $0.1 > $1.1 }.prefix(3)
    for (url, count) in largest {
      let page = try workspace.modelctl("diagram", url.path, "--html")
      #expect(page.status == 0 && page.standardError.isEmpty, "\(page.standardError)")
      let structure = try PageStructure(page.standardOutput)
      #expect(structure.faults == [])
      let nodes = structure.elements("g").filter { $0[attribute: "class"] == "node" }
      #expect(nodes.count == count)
    }
    print("pages of the largest: \(largest.map { "\($0.1) entities" }.joined(separator: ", "))")
  }
}
