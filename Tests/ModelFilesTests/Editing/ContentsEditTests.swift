import Foundation
import ModelDescription
import ModelFiles
import Testing

@Suite("Edits of a contents file")
struct ContentsEditTests {
  /// A model in which everything that can mention something does, with a comment and things that are unknown.
  static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Customer" representedClassName="Customer" syncable="YES">
            <attribute name="name" attributeType="String"/> <!-- as on the letter -->
            <attribute name="orderCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="orders.@count"/>
            <attribute name="total" optional="YES" attributeType="Decimal" derived="YES" derivationExpression="orders.@sum.total"/>
            <relationship name="orders" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Order" inverseName="customer" inverseEntity="Order"/>
        </entity>
        <entity name="Letter" representedClassName="Letter" parentEntity="Order" syncable="YES" future="kept">
            <fetchIndex name="byTitle">
                <fetchIndexElement property="title" type="Binary" order="ascending"/>
            </fetchIndex>
        </entity>
        <entity name="Order" representedClassName="Order" syncable="YES">
            <attribute name="number" attributeType="Integer 16" defaultValueString="0" minValueString="1" usesScalarValueType="YES"/>
            <attribute name="title" attributeType="String" defaultValueString="a &amp; b"/>
            <attribute name="total" attributeType="Decimal" defaultValueString="0.0"/>
            <future name="unknown"/>
            <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Customer" inverseName="orders" inverseEntity="Customer"/>
            <fetchIndex name="byNumber" partialIndexPredicate="number &gt; 3">
                <fetchIndexElement property="number" type="Binary" order="ascending"/>
                <fetchIndexElement property="title" type="Binary" order="ascending"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="number"/>
                    <constraint value="title"/>
                </uniquenessConstraint>
                <uniquenessConstraint>
                    <constraint value="title"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <fetchRequest name="Recent" entity="Order" predicateString="number &gt; 5 AND title == 'number'"/>
        <configuration name="Local">
            <memberEntity name="Order"/>
        </configuration>
        <elements>
            <element name="Order" positionX="0" positionY="0" width="128" height="60"/>
        </elements>
    </model>

    """

  static func edited(_ edit: ContentsEdit, _ text: String = model) throws -> EditedContents {
    try EditedContents(edit, of: Data(text.utf8), path: "contents")
  }

  /// The lines that went and came, in order, without their indentation.
  private static func lines(_ edited: EditedContents) -> [String] {
    func lines(_ data: Data) -> [String] { String(decoding: data, as: UTF8.self).components(separatedBy: "\n") }
    let difference = lines(edited.data).difference(from: lines(edited.oldData))
    return difference.removals.map { "- " + text($0) } + difference.insertions.map { "+ " + text($0) }
  }

  private static func text(_ change: CollectionDifference<String>.Change) -> String {
    switch change {
    case .insert(_, let line, _), .remove(_, let line, _): line.trimmingCharacters(in: .whitespaces)
    }
  }

  static let order = ContentsEdit.rename(.entity("Order"), to: "Purchase")

  @Test("A rename is applied to indexes, constraints and derivations; predicates are listed")
  func renameAttribute() throws {
    let edited = try Self.edited(.rename(.property(entity: "Order", name: "number"), to: "serial"))
    #expect(
      Self.lines(edited) == [
        #"- <attribute name="number" attributeType="Integer 16" defaultValueString="0" minValueString="1" usesScalarValueType="YES"/>"#,
        #"- <fetchIndexElement property="number" type="Binary" order="ascending"/>"#,
        #"- <constraint value="number"/>"#,
        #"+ <attribute name="serial" attributeType="Integer 16" defaultValueString="0" minValueString="1" usesScalarValueType="YES" elementID="number"/>"#,
        #"+ <fetchIndexElement property="serial" type="Binary" order="ascending"/>"#,
        #"+ <constraint value="serial"/>"#,
      ])
    #expect(
      edited.changes.map(\.sentence) == [
        "Order.number: renamed to serial",
        "Order.number: has the renaming identifier “number”, so that a migration keeps its data",
        "Order.number: Order index byNumber renamed too", "Order.number: a uniqueness constraint of Order renamed too",
      ])
    #expect(
      edited.warnings.map(\.text) == [
        "the predicate of fetch request Recent may mean number, and is unchanged: number > 5 AND title == 'number'",
        "the predicate of Order index byNumber may mean number, and is unchanged: number > 3",
      ])
    let attribute = try #require(edited.file.model.entities[2].attributes.first)
    #expect(attribute.name == "serial" && attribute.renamingIdentifier == "number")
  }

  @Test("Other uses of an attribute's name are kept: only key paths to it are changed")
  func renameDerivedFrom() throws {
    let edited = try Self.edited(.rename(.property(entity: "Order", name: "total"), to: "sum"))
    #expect(
      Self.lines(edited).filter { $0.hasPrefix("+") } == [
        #"+ <attribute name="total" optional="YES" attributeType="Decimal" derived="YES" derivationExpression="orders.@sum.sum"/>"#,
        #"+ <attribute name="sum" attributeType="Decimal" defaultValueString="0.0" elementID="total"/>"#,
      ])
    let other = try Self.edited(.rename(.property(entity: "Customer", name: "total"), to: "sum"))
    #expect(Self.lines(other).count == 2)
  }

  @Test("An inherited property is followed in sub-entities, but for those that declare their own")
  func renameInherited() throws {
    let edited = try Self.edited(.rename(.property(entity: "Order", name: "title"), to: "heading"))
    #expect(edited.file.model.entities[1].fetchIndexes[0].elements[0].subject == .property("heading"))
    #expect(edited.file.model.entities[2].uniquenessConstraints == [["number", "heading"], ["heading"]])
    #expect(throws: ContentsEditError.inherited(entity: "Letter", name: "title", from: "Order")) {
      try Self.edited(.rename(.property(entity: "Letter", name: "title"), to: "heading"))
    }
    #expect(throws: ContentsEditError.exists(.property(entity: "Order", name: "total"))) {
      try Self.edited(.rename(.property(entity: "Order", name: "title"), to: "total"))
    }
  }

  @Test("A renamed relationship is followed by its inverse and by derivations")
  func renameRelationship() throws {
    let edited = try Self.edited(.rename(.property(entity: "Customer", name: "orders"), to: "purchases"))
    #expect(
      Self.lines(edited).filter { $0.hasPrefix("+") } == [
        #"+ <attribute name="orderCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="purchases.@count"/>"#,
        #"+ <attribute name="total" optional="YES" attributeType="Decimal" derived="YES" derivationExpression="purchases.@sum.total"/>"#,
        #"+ <relationship name="purchases" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Order" inverseName="customer" inverseEntity="Order" elementID="orders"/>"#,
        #"+ <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Customer" inverseName="purchases" inverseEntity="Customer"/>"#,
      ])
  }

  @Test(
    "A derivation is followed in every form that Core Data reads",
    arguments: [
      ("SELF.total", "SELF.sum"), ("canonical:(self.total)", "canonical:(self.sum)"), ("total", "sum"),
      ("abs:(total)", "abs:(sum)"),
    ])
  func derivations(former: String, latter: String) throws {
    let text = """
      <model>
          <entity name="Order">
              <attribute name="copy" attributeType="Decimal" derived="YES" derivationExpression="\(former)"/>
              <attribute name="total" attributeType="Decimal"/>
          </entity>
      </model>

      """
    let edited = try Self.edited(.rename(.property(entity: "Order", name: "total"), to: "sum"), text)
    #expect(Self.lines(edited).first { $0.hasPrefix("+") }?.contains("derivationExpression=\"\(latter)\"") == true)
    #expect(edited.warnings.isEmpty)
  }

  @Test("A renamed entity is followed by children, relationships, requests, configurations and the diagram")
  func renameEntity() throws {
    let edited = try Self.edited(Self.order)
    #expect(
      Self.lines(edited).filter { $0.hasPrefix("+") } == [
        #"+ <relationship name="orders" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Purchase" inverseName="customer" inverseEntity="Purchase"/>"#,
        #"+ <entity name="Letter" representedClassName="Letter" parentEntity="Purchase" syncable="YES" future="kept">"#,
        #"+ <entity name="Purchase" representedClassName="Order" elementID="Order" syncable="YES">"#,
        #"+ <fetchRequest name="Recent" entity="Purchase" predicateString="number &gt; 5 AND title == 'number'"/>"#,
        #"+ <memberEntity name="Purchase"/>"#,
        #"+ <element name="Purchase" positionX="0" positionY="0" width="128" height="60"/>"#,
      ])
    #expect(
      edited.warnings.map(\.text) == [
        "the class of Purchase still has the name Order; rename it in code and in the model together"
      ])
  }

  @Test("An existing identifier is kept")
  func renameAgain() throws {
    let once = try Self.edited(.rename(.property(entity: "Order", name: "title"), to: "heading"))
    let twice = try EditedContents(
      .rename(.property(entity: "Order", name: "heading"), to: "subject"), of: once.data, path: "contents")
    #expect(twice.file.model.entities[2].attributes[1].renamingIdentifier == "title")
    #expect(twice.changes[1].sentence == "Order.heading: keeps its renaming identifier “title”")
  }

  @Test("A new attribute is inserted in the order of names, and not before another line's comment")
  func addAttribute() throws {
    let note = AttributeDescription(
      name: "note", type: .string, isOptional: true, defaultValue: .string("\"<a>\" & 'b'\nä"))
    let edited = try Self.edited(.addAttribute(note, entity: "Customer"))
    #expect(
      String(decoding: edited.data, as: UTF8.self).contains(
        """
                <attribute name="name" attributeType="String"/> <!-- as on the letter -->
                <attribute name="note" optional="YES" attributeType="String" defaultValueString="&quot;&lt;a&gt;&quot; &amp; 'b'&#10;ä"/>
                <attribute name="orderCount"
        """))
    #expect(edited.file.model.entities[0].attributes[1] == note)
    #expect(edited.warnings == [])
    let required = try Self.edited(
      .addAttribute(AttributeDescription(name: "age", type: .integer16), entity: "Letter"))
    #expect(
      required.warnings.map(\.text) == [
        "Letter.age is required and has no default value, so rows of Letter cannot be migrated from an older version; "
          + "give it a default value, or make it optional"
      ])
    #expect(throws: ContentsEditError.exists(.property(entity: "Order", name: "title"))) {
      try Self.edited(.addAttribute(AttributeDescription(name: "title", type: .string), entity: "Letter"))
    }
  }

  @Test("A relationship is added with its other end, or takes one that has no inverse yet")
  func addRelationship() throws {
    let to = RelationshipDescription(name: "letters", destinationEntityName: "Letter", isOptional: true)
    let back = RelationshipDescription(name: "sender", destinationEntityName: nil, isOptional: true, maxCount: 1)
    let edited = try Self.edited(.addRelationship(to, entity: "Customer", inverse: back))
    #expect(
      Self.lines(edited) == [
        #"+ <relationship name="letters" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Letter" inverseName="sender" inverseEntity="Letter"/>"#,
        #"+ <relationship name="sender" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Customer" inverseName="letters" inverseEntity="Customer"/>"#,
      ])
    let oneSided = try Self.edited(.addRelationship(to, entity: "Customer", inverse: nil))
    let other = RelationshipDescription(
      name: "sender", destinationEntityName: "Customer", isOptional: true, maxCount: 1)
    let joined = try EditedContents(
      .addRelationship(
        other, entity: "Letter", inverse: RelationshipDescription(name: "letters", destinationEntityName: nil)),
      of: oneSided.data, path: "contents")
    #expect(joined.data == edited.data)
    #expect(throws: ContentsEditError.inverseTaken(.property(entity: "Customer", name: "orders"), by: "Order.customer"))
    {
      try Self.edited(
        .addRelationship(
          other, entity: "Letter", inverse: RelationshipDescription(name: "orders", destinationEntityName: nil)))
    }
  }

  @Test("An entity whose relationship is its own inverse, and both ends in one that was empty")
  func selfRelationships() throws {
    let empty = "<model>\n  <entity name=\"A\"/>\n</model>"
    let friends = RelationshipDescription(name: "friends", destinationEntityName: "A", isOptional: true)
    #expect(
      String(
        decoding: try Self.edited(.addRelationship(friends, entity: "A", inverse: friends), empty).data, as: UTF8.self)
          == """
          <model>
            <entity name="A">
              <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="A" inverseName="friends" inverseEntity="A"/>
            </entity>
          </model>
          """)
    let parent = RelationshipDescription(name: "parent", destinationEntityName: nil, isOptional: true, maxCount: 1)
    let both = try Self.edited(.addRelationship(friends, entity: "A", inverse: parent), empty)
    #expect(both.file.model.entities[0].relationships.map(\.name) == ["friends", "parent"])
  }

  @Test(
    "A new type: settings of the old type are converted, or removed and listed",
    arguments: [
      (
        "Order.number", AttributeType.double,
        #"<attribute name="number" attributeType="Double" defaultValueString="0.0" minValueString="1" usesScalarValueType="YES"/>"#,
        ["Order.number: Double instead of Integer 16", "Order.number: its default value is 0.0"]
      ),
      (
        "Order.number", .boolean,
        #"<attribute name="number" attributeType="Boolean" defaultValueString="NO" minValueString="YES" usesScalarValueType="YES"/>"#,
        [
          "Order.number: Boolean instead of Integer 16", "Order.number: its default value is NO",
          "Order.number: its minimum is YES",
        ]
      ),
      (
        "Order.number", .string,
        #"<attribute name="number" attributeType="String" defaultValueString="0"/>"#,
        [
          "Order.number: String instead of Integer 16",
          "Order.number: without usesScalarValueType, which String does not have",
          "Order.number: without its minimum “1”, which is not a valid String",
        ]
      ),
      (
        "Order.title", .integer64, #"<attribute name="title" attributeType="Integer 64" usesScalarValueType="YES"/>"#,
        [
          "Order.title: Integer 64 instead of String",
          "Order.title: with usesScalarValueType, as Xcode writes it for Integer 64",
          "Order.title: without its default value “a & b”, which is not a valid Integer 64",
        ]
      ),
    ])
  func retype(_ name: String, _ type: AttributeType, _ line: String, _ sentences: [String]) throws {
    let parts = name.split(separator: ".").map(String.init)
    let edited = try Self.edited(.retype(entity: parts[0], attribute: parts[1], to: type))
    #expect(Self.lines(edited).filter { $0.hasPrefix("+") } == ["+ " + line])
    #expect(edited.changes.map(\.sentence) == sentences)
  }

  @Test("The effect of a new type on a migration is reported")
  func retypeWarnings() throws {
    #expect(
      try Self.edited(.retype(entity: "Order", attribute: "title", to: .integer64)).warnings.map(\.text) == [
        "a migration cannot infer Integer 64 from String for rows of an older version; cast the values: "
          + "modelctl migrate STORE --cast Order.title; or write a mapping model: modelctl mapping new --help"
      ])
    #expect(try Self.edited(.retype(entity: "Order", attribute: "number", to: .integer64)).warnings == [])
    #expect(
      try Self.edited(.retype(entity: "Order", attribute: "total", to: .integer16)).warnings.map(\.text) == [
        "not every Decimal has an equal Integer 16, so a migration may round or refuse values"
      ])
  }

  @Test("Files of any form: on one line, with tabs, with other ends of lines and quotation marks")
  func forms() throws {
    let line = "<model><entity name='A' future=\"1\"><attribute name='b'/></entity></model>"
    let attribute = AttributeDescription(name: "c", type: .string)
    #expect(
      String(decoding: try Self.edited(.addAttribute(attribute, entity: "A"), line).data, as: UTF8.self)
        == "<model><entity name='A' future=\"1\"><attribute name='b'/><attribute name=\"c\" attributeType=\"String\"/></entity></model>"
    )
    #expect(
      String(decoding: try Self.edited(.rename(.entity("A"), to: "Z"), line).data, as: UTF8.self)
        == "<model><entity name='Z' future=\"1\" elementID=\"A\"><attribute name='b'/></entity></model>")
    #expect(
      String(decoding: try Self.edited(.remove(.property(entity: "A", name: "b")), line).data, as: UTF8.self)
        == "<model><entity name='A' future=\"1\"/></model>")
    let windows = Self.model.replacingOccurrences(of: "\n", with: "\r\n").replacingOccurrences(of: "    ", with: "\t")
    let edited = try Self.edited(.addEntity(EntityDescription(name: "B", attributes: [attribute])), windows)
    #expect(
      String(decoding: edited.data, as: UTF8.self).contains(
        "standalone=\"yes\"?>\r\n<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\r\n"
          + "\t<entity name=\"B\" syncable=\"YES\">\r\n\t\t<attribute name=\"c\" attributeType=\"String\"/>\r\n\t</entity>\r\n"
          + "\t<entity name=\"Customer\""))
  }

  @Test(
    "Names that need escaping are found, followed and written",
    arguments: ["a\"b", "<a>", "a&amp;b", "ä 😀", "a\nb", "it's"])
  func hostileNames(_ name: String) throws {
    let attribute = AttributeDescription(name: name, type: .string, isOptional: true)
    let entity = EntityDescription(name: name, attributes: [attribute], uniquenessConstraints: [[name]])
    let data = ContentsDocument(ManagedObjectModel(entities: [entity])).data
    let renamed = try EditedContents(
      .rename(.property(entity: name, name: name), to: "plain"), of: data, path: "contents")
    #expect(renamed.file.model.entities[0].attributes[0].renamingIdentifier == name)
    #expect(renamed.file.model.entities[0].uniquenessConstraints == [["plain"]])
    #expect(throws: ContentsEditError.badName(name, reason: reason(name))) {
      try EditedContents(.rename(.property(entity: "E", name: "a"), to: name), of: Self.small, path: "contents")
    }
  }

  private static let small = Data("<model><entity name=\"E\"><attribute name=\"a\"/></entity></model>".utf8)

  private func reason(_ name: String) -> String { ElementName.objection(to: name) ?? "none" }

  @Test(
    "Invalid edits are refused",
    arguments: [
      (ContentsEdit.rename(.entity("Ordr"), to: "A"), "the model has no entity “Ordr”; nearest: Order"),
      (
        .rename(.property(entity: "Order", name: "numer"), to: "a"),
        "Order has no property “numer”; nearest: Order.number"
      ),
      (.rename(.entity("Order"), to: "Letter"), "“Letter” already exists; choose another name"),
      (.rename(.entity("Order"), to: "Order"), "Order already has this name, so there is nothing to do"),
      (.rename(.entity("Order"), to: ""), "“” is not a valid name: it is empty; choose another name"),
      (
        .rename(.entity("Order"), to: "2nd"),
        "“2nd” is not a valid name: it does not begin with a letter; choose another name"
      ),
      (.addEntity(EntityDescription(name: "A", superentityName: "B")), "the model has no entity “B”; list the names"),
      (
        .retype(entity: "Order", attribute: "customer", to: .string),
        "Order.customer is not an attribute, and only attributes have a type"
      ),
      (
        .retype(entity: "Order", attribute: "title", to: .string),
        "Order.title already is of type String, so there is nothing to do"
      ),
      (
        .retype(entity: "Order", attribute: "title", to: .composite),
        "an edit cannot give an attribute the type “Composite”; choose one of"
      ),
      (
        .addAttribute(AttributeDescription(name: "a", type: .composite, compositeName: "P"), entity: "Order"),
        "the model has no composite type “P”"
      ),
      (
        .addAttribute(
          AttributeDescription(name: "a", type: .binary, defaultValue: .binary(Data([1]))), entity: "Order"),
        "Order.a: a contents file cannot hold a default value or limit of type Binary; leave it out"
      ),
      (
        .addAttribute(AttributeDescription(name: "a", type: .string, compositeName: "P"), entity: "Order"),
        "Order.a: attributes of type String cannot have a composite type; leave it out"
      ),
      (
        .addAttribute(AttributeDescription(name: "a", type: .date, valueTransformerName: "T"), entity: "Order"),
        "Order.a: attributes of type Date cannot have a transformer; leave it out"
      ),
      (
        .remove(.configuration("Local")),
        "configuration Local cannot be edited; modelctl edits entities, attributes and relationships"
      ),
    ])
  func refused(_ edit: ContentsEdit, _ words: String) {
    let error = #expect(throws: ContentsEditError.self) { try Self.edited(edit) }
    #expect("\(error.map { "\($0)" } ?? "")".hasPrefix(words))
  }

  @Test("A model that is broken, or no model, is not edited")
  func broken() {
    #expect(throws: ContentsEditError.unsound(path: "contents", .duplicateEntity(name: "A"))) {
      try Self.edited(.remove(.entity("A")), "<model><entity name=\"A\"/><entity name=\"A\"/></model>")
    }
    #expect(throws: ContentsEditError.self) { try Self.edited(Self.order, "<model>") }
  }
}
