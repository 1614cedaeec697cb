import Foundation
import ModelDescription
import ModelFiles
import Testing

/// The results of the `contents` reader for each element and attribute.
struct ContentsReaderTests {
  private func read(_ text: String) throws -> ModelFile { try ContentsReader.read(Data(text.utf8), path: "m") }
  private func entity(_ body: String) throws -> EntityDescription {
    try #require(try read("<model><entity name=\"E\">\(body)</entity></model>").model.entities.first)
  }

  @Test func anEntityWithEverything() throws {
    let file = try read(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="v7">
          <entity name="Order" representedClassName="App.Order" parentEntity="Item" isAbstract="YES" syncable="YES"
                  codeGenerationType="class" elementID="OldOrder" versionHashModifier="2">
              <attribute name="note" attributeType="String"/>
              <fetchIndex name="byNote" partialIndexPredicate="note != nil">
                  <fetchIndexElement property="note" type="RTree" order="descending"/>
              </fetchIndex>
              <compoundIndexes><compoundIndex><index value="note"/><index value="id"/></compoundIndex></compoundIndexes>
              <uniquenessConstraints>
                  <uniquenessConstraint><constraint value="note"/></uniquenessConstraint>
              </uniquenessConstraints>
              <fetchedProperty name="recent" optional="YES">
                  <fetchRequest name="fetchedPropertyFetchRequest" entity="Item" predicateString="a == 1 &amp;&amp; b &lt; 2"/>
              </fetchedProperty>
              <userInfo><entry key="k" value="v"/><entry key="empty"/></userInfo>
          </entity>
          <entity name="Item"/>
          <fetchRequest name="All" entity="Item" predicateString="TRUEPREDICATE" fetchLimit="20"/>
          <configuration name="Cloud"><memberEntity name="Item"/></configuration>
          <elements><element name="Order" positionX="0" positionY="0" width="1" height="1"/></elements>
      </model>
      """)
    let order = EntityDescription(
      name: "Order", className: "App.Order", superentityName: "Item", isAbstract: true,
      attributes: [AttributeDescription(name: "note", type: .string)],
      fetchedProperties: [
        FetchedPropertyDescription(
          name: "recent", isOptional: true,
          fetchRequest: FetchRequestDescription(
            name: "fetchedPropertyFetchRequest", entityName: "Item", predicate: "a == 1 && b < 2"))
      ],
      fetchIndexes: [
        FetchIndexDescription(
          name: "byNote", elements: [.init(subject: .property("note"), kind: .rTree, isAscending: false)],
          partialIndexPredicate: "note != nil")
      ],
      compoundIndexes: [["note", "id"]], uniquenessConstraints: [["note"]], renamingIdentifier: "OldOrder",
      versionHashModifier: "2", userInfo: ["k": "v", "empty": ""], codeGeneration: "class", isSyncable: true)
    #expect(
      file.model
        == ManagedObjectModel(
          entities: [order, EntityDescription(name: "Item")],
          configurations: [ModelConfiguration(name: "Cloud", entityNames: ["Item"])],
          fetchRequests: [
            FetchRequestDescription(
              name: "All", entityName: "Item", predicate: "TRUEPREDICATE", settings: ["fetchLimit": "20"])
          ],
          versionIdentifiers: ["v7"]))
    #expect(file.notes.isEmpty)
    #expect(file.locations[.entity("Order")] == SourceLocation(file: "m", line: 3, column: 5))
    #expect(file.locations[.property(entity: "Order", name: "note")]?.description == "m:5:9")
    #expect(file.locations[.uniquenessConstraint(entity: "Order", position: 0)]?.description == "m:11:13")
    #expect(file.locations[.configuration("Cloud")]?.description == "m:20:5")
  }

  @Test(arguments: [
    (#"attributeType="Integer 16" defaultValueString="-7""#, AttributeValue.integer(-7)),
    (#"attributeType="Integer 32" defaultValueString="0.0""#, .integer(0)),
    (#"attributeType="Integer 32" defaultValueString="NO""#, .integer(0)),
    (#"attributeType="Decimal" defaultValueString="1.10""#, .decimal(Decimal(11) / 10)),
    (#"attributeType="Double" defaultValueString="2.5""#, .double(2.5)),
    (#"attributeType="Float" defaultValueString="0""#, .double(0)),
    (#"attributeType="String" defaultValueString="""#, .string("")),
    (#"attributeType="String" defaultValueString="a&#10;&quot;b&quot; &amp; c""#, .string("a\n\"b\" & c")),
    (#"attributeType="Boolean" defaultValueString="YES""#, .boolean(true)),
    (#"attributeType="Boolean" defaultValueString="0.0""#, .boolean(false)),
    (#"attributeType="Date" defaultDateTimeInterval="-3600""#, .date(-3600)),
    (#"attributeType="URI" defaultValueString="https://example.org""#, .uri("https://example.org")),
  ])
  func aDefaultHasTheAttributesType(_ attributes: String, _ value: AttributeValue) throws {
    #expect(try entity("<attribute name=\"a\" \(attributes)/>").attributes.first?.defaultValue == value)
  }

  @Test func boundsAreLengthsForStringsAndDatesForDates() throws {
    let attributes = try entity(
      """
      <attribute name="s" attributeType="String" minValueString="1" maxValueString="80" regularExpressionString="a+"/>
      <attribute name="d" attributeType="Date" minDateTimeInterval="0" maxDateTimeInterval="5.5"/>
      <attribute name="n" attributeType="Double" minValueString="3.5"/>
      """
    ).attributes
    #expect(
      attributes.map(\.validation) == [
        AttributeValidation(minimum: .integer(1), maximum: .integer(80), regularExpression: "a+"),
        AttributeValidation(minimum: .date(0), maximum: .date(5.5)),
        AttributeValidation(minimum: .double(3.5)),
      ])
  }

  @Test func everyFlagOfAnAttribute() throws {
    let attribute = try entity(
      """
      <attribute name="a" optional="YES" transient="YES" attributeType="Transformable" indexed="YES" syncable="YES"
        spotlightIndexingEnabled="YES" usesScalarValueType="NO" allowsExternalBinaryDataStorage="YES"
        preserveAfterDeletion="YES" valueTransformerName="T" customClassName="C" elementID="old" renamingIdentifier="r"
        versionHashModifier="m" storedInTruthFile="YES" isSyncIdentityProperty="YES" allowsCloudEncryption="YES"/>
      """
    ).attributes.first
    #expect(
      attribute
        == AttributeDescription(
          name: "a", type: .transformable, isOptional: true, isTransient: true, allowsExternalBinaryDataStorage: true,
          preservesValueInHistoryOnDeletion: true, allowsCloudEncryption: true, isIndexed: true,
          isIndexedBySpotlight: true, valueTransformerName: "T", valueClassName: "C", usesScalarValueType: false,
          renamingIdentifier: "r", versionHashModifier: "m", isSyncable: true))
  }

  @Test(arguments: [
    (#"toMany="YES""#, 0), (#"toMany="YES" maxCount="9""#, 9), (#"toMany="YES" maxCount="-1""#, Int.max),
    (#"maxCount="1""#, 1), ("", 1),
  ])
  func countsOfARelationship(_ attributes: String, _ maxCount: Int) throws {
    let relationship = try entity("<relationship name=\"r\" destinationEntity=\"E\" \(attributes)/>").relationships[0]
    #expect(relationship.maxCount == maxCount)
    #expect(relationship.isToMany == (maxCount != 1))
  }

  @Test(arguments: [
    (#"deletionRule="Nullify""#, DeleteRule.nullify), (#"deletionRule="No Action""#, .noAction),
    (#"deleteRule="Cascade""#, .cascade), (#"deletionRule="Deny""#, .deny), ("", .nullify),
  ])
  func deleteRulesUnderBothNames(_ attributes: String, _ rule: DeleteRule) throws {
    let relationship = try entity("<relationship name=\"r\" destinationEntity=\"E\" \(attributes)/>").relationships[0]
    #expect(relationship.deleteRule == rule)
  }

  @Test func aDerivedAttributeKeepsItsExpression() throws {
    let attribute = try entity(
      #"<attribute name="n" attributeType="Integer 64" derived="YES" derivationExpression="pages.@count"/>"#
    ).attributes[0]
    #expect(attribute.derivation == Derivation(expression: "pages.@count"))
  }

  @Test func aCompositeAttributeHasTheElementsOfItsType() throws {
    let file = try read(
      """
      <model>
        <entity name="E"><attribute name="place" attributeType="Composite" composite="Place"/></entity>
        <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
        <composite name="Place"><attribute name="at" attributeType="Composite" composite="Point"/></composite>
      </model>
      """)
    let leaves = try #require(file.model.entities.first?.attributes.first).leaves
    #expect(leaves.map(\.path) == [["place", "at", "x"]])
  }

  @Test(arguments: [
    (#"<entity name="E" colour="red"/>"#, "m:1:8: unknown attribute colour=“red” of <entity>"),
    (#"<entity name="E"><shape/></entity>"#, "m:1:25: unknown element <shape> in <entity>"),
    (
      #"<entity name="E"><attribute name="a" attributeType="Integer 16" defaultValueString="many"/></entity>"#,
      "m:1:25: defaultValueString=“many” is not a valid Integer 16 and is ignored"
    ),
    (#"<entity name="E" isAbstract="maybe"/>"#, "m:1:8: isAbstract=“maybe” is neither YES nor NO and is read as NO"),
    (
      #"<entity name="E"><relationship name="r" deletionRule="Burn"/></entity>"#,
      "m:1:25: the delete rule “Burn” is unknown and is read as Nullify"
    ),
  ])
  func whatIsReadPastIsNoted(_ body: String, _ note: String) throws {
    let notes = try read("<model>\(body)</model>").notes
    #expect(notes.map { "\($0.location): \($0.sentence)" } == [note])
  }

  @Test func columnsCountCharactersAndLinesEndInAnyWay() throws {
    let text = "<model>\r\n\t<composite name=\"Ä🚲\"/><entity\n name=\"A\"/> <entity name=\"B\"/></model>"
    let file = try read(text)
    #expect(file.locations[.composite("Ä🚲")]?.description == "m:2:2")
    #expect(file.locations[.entity("A")]?.description == "m:2:24")
    #expect(file.locations[.entity("B")]?.description == "m:3:13")
  }

  @Test func aModelOnOneLineIsReadInOnePass() throws {
    let attributes = (0..<14).map { "<attribute name=\"a\($0)\"/>" }.joined()
    let entities = (0..<2000).map { "<entity name=\"E\($0)\">\(attributes)</entity>" }.joined()
    let file = try read("<model>\(entities)</model>")
    #expect(file.model.entities.count == 2000)
    #expect(file.locations[.entity("E1")]?.description == "m:1:\(35 + attributes.count)")
  }

  @Test func aByteOrderMarkAndUTF16AreRead() throws {
    let text = "<model><entity name=\"Ä\"/></model>"
    let wide = try #require(text.data(using: .utf16))
    #expect(try ContentsReader.read(Data("\u{FEFF}\(text)".utf8), path: "m").model.entities.map(\.name) == ["Ä"])
    #expect(try ContentsReader.read(wide, path: "m").model.entities.map(\.name) == ["Ä"])
  }

  @Test(
    "A declared encoding is read, and UTF-16 without a byte order mark",
    arguments: [
      ("ISO-8859-1", String.Encoding.isoLatin1), ("iso-8859-1", .isoLatin1), ("US-ASCII", .isoLatin1),
      ("windows-1252", .windowsCP1252), ("UTF-16", .utf16LittleEndian), ("UTF-16", .utf16BigEndian), ("utf-8", .utf8),
    ])
  func encodings(_ name: String, _ encoding: String.Encoding) throws {
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<model><entity name=\"Café\"/></model>"
    let data = try #require(text.data(using: encoding))
    #expect(try ContentsReader.read(data, path: "m").model.entities.map(\.name) == ["Café"])
    // What is written is UTF-8 and says so.
    let written = try ContentsDocument(data, path: "m").data
    #expect(try ContentsReader.read(written, path: "m").model.entities.map(\.name) == ["Café"])
    #expect(String(decoding: written, as: UTF8.self).contains("Café"))
    guard encoding != .utf8 else { return }
    let refusal = #expect(throws: ModelFileError.self) {
      try ContentsEditor.addingIdentifiers(to: data, path: "my/m")
    }
    #expect(refusal?.description.hasSuffix("and only UTF-8 can be edited; convert the file") == true)
    #expect(refusal?.advice?.commands.map(\.text) == ["xmllint --encode UTF-8 --output my/m my/m"])
  }

  @Test func bytesThatAreNoUTF8ArePointedAt() throws {
    let data = Data("<model>\n<entity name=\"Ä".utf8) + [0xE9] + Data("\"/></model>".utf8)
    let failure = #expect(throws: ModelFileError.self) { try ContentsReader.read(data, path: "m") }
    #expect(
      failure?.description == "m:2:16: not well-formed XML: the text is not UTF-8; check the file")
  }
}
