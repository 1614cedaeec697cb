import Foundation
import ModelDescription
import ModelFiles
import Testing

@Suite("A contents file written from values")
struct ContentsDocumentTests {
  /// Every element and attribute in the order and the form in which Xcode writes them.
  static let complete = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" usedWithCloudKit="false" userDefinedModelVersionIdentifier="1.2" macOSVersion="Automatic" iOSVersion="Automatic">
        <entity name="Event" representedClassName="Event" isAbstract="YES" parentEntity="Thing" elementID="Occasion" versionHashModifier="2" syncable="YES" codeGenerationType="class">
            <attribute name="at" optional="YES" attributeType="Date" minDateTimeInterval="-978321600" maxDateTimeInterval="0.5" defaultDateTimeInterval="0" usesScalarValueType="NO"/>
            <attribute name="count" attributeType="Integer 16" minValueString="-3" maxValueString="9" defaultValueString="0" usesScalarValueType="YES"/>
            <attribute name="isOpen" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES" spotlightIndexingEnabled="YES"/>
            <attribute name="key" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
            <attribute name="name" optional="YES" attributeType="String" minValueString="1" maxValueString="10" regularExpressionString="[A-Z]+" defaultValueString="" indexed="YES" preserveAfterDeletion="YES" elementID="title" versionHashModifier="x" syncable="YES"/>
            <attribute name="place" optional="YES" attributeType="Composite" composite="Point"/>
            <attribute name="price" optional="YES" attributeType="Decimal" minValueString="0" defaultValueString="0.0"/>
            <attribute name="ratio" attributeType="Double" minValueString="0" maxValueString="3.5" defaultValueString="0.0" usesScalarValueType="YES"/>
            <attribute name="seen" optional="YES" transient="YES"/>
            <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData" customClassName="[String]"/>
            <attribute name="thumbnail" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" allowsCloudEncryption="YES"/>
            <attribute name="total" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="guests.@count" usesScalarValueType="NO">
                <userInfo>
                    <entry key="a" value="1"/>
                    <entry key="b" value=""/>
                </userInfo>
            </attribute>
            <attribute name="url" optional="YES" attributeType="URI" defaultValueString="https://example.org"/>
            <relationship name="guests" optional="YES" toMany="YES" minCount="1" maxCount="20" deletionRule="Cascade" ordered="YES" destinationEntity="Thing" inverseName="event" inverseEntity="Thing" syncable="YES"/>
            <relationship name="host" minCount="1" maxCount="1" deletionRule="No Action" destinationEntity="Thing" elementID="owner"/>
            <relationship name="many" optional="YES" toMany="YES" maxCount="-1" deletionRule="Nullify" destinationEntity="Thing"/>
            <fetchedProperty name="recent" optional="YES" syncable="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Thing" predicateString="count &gt; 2 &amp;&amp; name == &quot;a&quot;"/>
            </fetchedProperty>
            <fetchIndex name="byName" partialIndexPredicate="name != nil">
                <fetchIndexElement property="name" type="Binary" order="ascending"/>
                <fetchIndexElement property="count" type="RTree" order="descending"/>
            </fetchIndex>
            <compoundIndexes>
                <compoundIndex>
                    <index value="name"/>
                    <index value="count"/>
                </compoundIndex>
            </compoundIndexes>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                    <constraint value="count"/>
                </uniquenessConstraint>
                <uniquenessConstraint>
                    <constraint value="key"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
            <userInfo>
                <entry key="note" value="two&#10;lines"/>
            </userInfo>
        </entity>
        <entity name="Thing" representedClassName="Thing" syncable="YES">
            <relationship name="event" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="Event" inverseName="guests" inverseEntity="Event" syncable="YES"/>
        </entity>
        <composite name="Point">
            <attribute name="x" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES"/>
        </composite>
        <fetchRequest name="All" entity="Thing" predicateString="a &lt; 1" fetchLimit="100" fetchBatchSize="10" includeSubentities="YES" resultType="2"/>
        <configuration name="Local" usedWithCloudKit="YES">
            <memberEntity name="Thing"/>
        </configuration>
        <elements>
            <element name="Event" positionX="-63" positionY="-18" width="128" height="60"/>
            <element name="Thing" positionX="0" positionY="0" width="128" height="60"/>
        </elements>
    </model>
    """

  @Test("Everything that Xcode writes is written as it was")
  func complete() throws {
    let document = try ContentsDocument(Data(Self.complete.utf8), path: "contents")
    #expect(String(decoding: document.data, as: UTF8.self) == Self.complete)
  }

  @Test("From the model alone: the same but for the tools and the diagram")
  func modelAlone() throws {
    let model = try ContentsReader.read(Data(Self.complete.utf8), path: "contents").model
    let text = String(decoding: ContentsDocument(model).data, as: UTF8.self)
    var expected = Self.complete.replacingOccurrences(
      of: "lastSavedToolsVersion=\"22758\"", with: "lastSavedToolsVersion=\"1\""
    )
    .replacingOccurrences(of: "systemVersion=\"23F79\"", with: "systemVersion=\"11A491\"")
    .replacingOccurrences(of: " usedWithCloudKit=\"false\"", with: "")
    .replacingOccurrences(of: " usedWithCloudKit=\"YES\"", with: "")
    .replacingOccurrences(of: " macOSVersion=\"Automatic\" iOSVersion=\"Automatic\"", with: "")
    let diagram = try #require(expected.range(of: "    <elements>")).lowerBound
    expected = expected[..<diagram] + "</model>"
    #expect(text == expected)
    #expect(try ContentsReader.read(Data(text.utf8), path: "contents").model == model)
  }

  @Test(
    "Spellings that differ from Xcode's are kept",
    arguments: [
      // Attributes in another order.
      #"<attribute attributeType="String" name="a"/>"#,
      // Values in other words.
      #"<attribute name="a" optional="true" attributeType="Integer 16" defaultValueString="0.0"/>"#,
      #"<attribute name="a" optional="NO" attributeType="Boolean" defaultValueString="1" usesScalarValueType="1"/>"#,
      #"<attribute name="a" attributeType="Decimal" defaultValueString="1.50"/>"#,
      #"<attribute name="a" attributeType="Undefined"/>"#,
      // An identifier where code puts it, and one in both places.
      #"<attribute name="a" attributeType="String" renamingIdentifier="b"/>"#,
      #"<attribute name="a" attributeType="String" renamingIdentifier="b" elementID="c"/>"#,
      // A date with its text beside the number, and values that are none.
      #"<attribute name="a" attributeType="Date" defaultDateTimeInterval="0" defaultValueString="today"/>"#,
      #"<attribute name="a" attributeType="Integer 16" defaultValueString="many" minValueString=""/>"#,
      // Unknown attributes and elements.
      #"<attribute name="a" attributeType="String" future="1"/>"#,
      #"<future name="a"><inner/></future><attribute name="b"/>"#,
      #"<attribute name="b"/><future/><future/><attribute name="c"/>"#,
      // Other words for relationships.
      #"<relationship name="r" toMany="YES" maxCount="1" deleteRule="Cascade" destinationEntity="E"/>"#,
      #"<relationship name="r" maxCount="7" minCount="0" destinationEntity="" inverse="x"/>"#,
      // Kinds in another order, an empty list, a key that stands twice.
      #"<relationship name="r" maxCount="1" deletionRule="Nullify"/><attribute name="a"/>"#,
      #"<uniquenessConstraints/><compoundIndexes/>"#,
      #"<userInfo><entry key="b" value="1"/><entry key="a"/><entry key="b" value="2"/></userInfo>"#,
      #"<attribute name="a"/><attribute name="a" optional="YES"/>"#,
      #"<fetchIndex name="i"><fetchIndexElement expression="length(a)" expressionType="String" type="Binary"/></fetchIndex>"#,
      #"<fetchIndex name="i"><fetchIndexElement type="Binary"/></fetchIndex>"#,
    ])
  func kept(_ content: String) throws {
    let text = Self.file(entity: content)
    let document = try ContentsDocument(Data(text.utf8), path: "contents")
    #expect(String(decoding: document.data, as: UTF8.self) == text)
  }

  @Test("The form of the text is kept: ends of lines, indentation, the last line, Xcode 4’s escapes")
  func styles() throws {
    let text = Self.file(entity: #"<attribute name="a" attributeType="String"/>"#)
    for form in [
      text.replacingOccurrences(of: "\n", with: "\r\n"), text + "\n", text.replacingOccurrences(of: "    ", with: "\t"),
      text.replacingOccurrences(of: "    ", with: "  "),
      text.components(separatedBy: "\n").dropFirst().joined(separator: "\n"),
      text.replacingOccurrences(of: "name=\"a\"", with: "name=\"a>b\""),
      text.replacingOccurrences(of: #" standalone="yes""#, with: ""),
    ] {
      let document = try ContentsDocument(Data(form.utf8), path: "contents")
      #expect(String(decoding: document.data, as: UTF8.self) == form)
    }
  }

  @Test("A changed model is written with all unchanged text; a spelling is lost with its value")
  func changed() throws {
    let text = Self.file(
      entity: #"""
        <attribute name="a" optional="true" attributeType="Integer 16" defaultValueString="0.0" future="1"/>
        <future/>
        <attribute name="b" attributeType="String" renamingIdentifier="c"/>
        """#)
    var document = try ContentsDocument(Data(text.utf8), path: "contents")
    document.model.entities[0].attributes[0].defaultValue = .integer(7)
    document.model.entities[0].attributes[1].renamingIdentifier = "d"
    document.model.entities[0].attributes.append(AttributeDescription(name: "n", type: .date, isOptional: true))
    #expect(
      String(decoding: document.data, as: UTF8.self)
        == Self.file(
          entity: #"""
            <attribute name="a" optional="true" attributeType="Integer 16" defaultValueString="7" future="1"/>
            <future/>
            <attribute name="b" attributeType="String" elementID="d"/>
            <attribute name="n" optional="YES" attributeType="Date"/>
            """#))
  }

  @Test("Names and texts that need escaping survive writing and reading")
  func escapes() throws {
    let names = ["a\"b", "<a>", "a&amp;b", "ä 😀", "two\nlines\tand\rmore", "'", " space "]
    let attributes = names.map { AttributeDescription(name: $0, type: .string, defaultValue: .string($0)) }
    let model = ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: attributes)])
    let data = ContentsDocument(model).data
    #expect(try ContentsReader.read(data, path: "contents").model == model)
    #expect(
      String(decoding: data, as: UTF8.self).contains(
        #"<attribute name="two&#10;lines&#9;and&#13;more" attributeType="String" defaultValueString="two&#10;lines"#))
  }

  /// A file of one entity with this content, its elements one a line.
  static func file(entity content: String) -> String {
    var depth = 2
    let parts = content.replacingOccurrences(of: "><", with: ">\n<")
      .split(separator: "\n")
    let lines = parts.map { part -> String in
      let line = part.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("</") { depth -= 1 }
      defer { if !line.hasSuffix("/>") && !line.hasPrefix("</") { depth += 1 } }
      return String(repeating: "    ", count: depth) + line
    }
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="E" representedClassName="" syncable="YES">
      \(lines.joined(separator: "\n"))
          </entity>
      </model>
      """
  }
}
