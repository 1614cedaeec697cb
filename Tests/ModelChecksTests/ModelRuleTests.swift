import Foundation
import ModelChecks
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

/// Every rule on the smallest file that breaks it and on one that does not; the first line of a body is line 2.
struct ModelRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var rule: String
    var broken: String
    var findings: [String]
    var sound: String
    var testDescription: String { rule }
  }

  private static let withoutColumn = "without a column, so stores do not get it [index-without-column]"

  static let cases: [Case] = [
    Case(
      rule: "cascade-both-ways",
      broken: """
        <entity name="A">
          <relationship name="bs" toMany="YES" deletionRule="Cascade" destinationEntity="B" inverseName="as"/>
          <relationship name="as" toMany="YES" deletionRule="Cascade" destinationEntity="A" inverseName="as"/>
          <relationship name="one" maxCount="1" deletionRule="Cascade" destinationEntity="B" inverseName="one"/>
        </entity>
        <entity name="B">
          <relationship name="as" toMany="YES" deletionRule="Cascade" destinationEntity="A" inverseName="bs"/>
          <relationship name="one" maxCount="1" deletionRule="Cascade" destinationEntity="A" inverseName="one"/>
        </entity>
        """,
      findings: [
        """
        m:3:3: warning: A.bs and its inverse B.as both cascade: deleting an object also deletes every object that is \
        linked through it [cascade-both-ways]
        """,
        """
        m:4:3: warning: A.as is its own inverse and cascades: deleting an object also deletes every object that is \
        linked through it [cascade-both-ways]
        """,
      ],
      sound: """
        <entity name="A">
          <relationship name="bs" toMany="YES" deletionRule="Cascade" destinationEntity="B" inverseName="a"/>
        </entity>
        <entity name="B"><relationship name="a" maxCount="1" destinationEntity="A" inverseName="bs"/></entity>
        """),
    Case(
      rule: "case-clash",
      broken: """
        <entity name="Note">
          <attribute name="title" attributeType="String"/>
          <attribute name="Title" attributeType="String"/>
        </entity>
        <entity name="NOTE"/>
        """,
      findings: [
        "m:4:3: error: properties title and Title of Note differ only in case and would share a column [case-clash]",
        "m:6:1: error: entities Note and NOTE differ only in case and would share a table [case-clash]",
      ],
      sound: #"<entity name="Note"><attribute name="title" attributeType="String"/></entity><entity name="Notes"/>"#),
    Case(
      rule: "contradictory-limits",
      broken: """
        <entity name="A">
          <attribute name="n" attributeType="Integer 16" minValueString="7" maxValueString="3" defaultValueString="5"/>
          <attribute name="d" attributeType="Double" minValueString="0.5" defaultValueString="0"/>
          <attribute name="s" attributeType="String" maxValueString="3" defaultValueString="abcd"/>
          <attribute name="t" attributeType="Date" maxDateTimeInterval="1" defaultDateTimeInterval="2"/>
          <relationship name="as" toMany="YES" minCount="5" maxCount="2" destinationEntity="A"/>
        </entity>
        """,
      findings: [
        "m:3:3: warning: the minimum value of A.n, 7, is above the maximum, 3 [contradictory-limits]",
        "m:4:3: warning: the default value of A.d, 0.0, is below the minimum value, 0.5 [contradictory-limits]",
        "m:5:3: warning: the default value of A.s, “abcd”, is above the maximum length, 3 [contradictory-limits]",
        "m:6:3: warning: the default value of A.t, 2001-01-01T00:00:02Z, is above the maximum value,"
          + " 2001-01-01T00:00:01Z [contradictory-limits]",
        "m:7:3: warning: A.as needs at least 5 objects and takes at most 2 [contradictory-limits]",
      ],
      sound: """
        <entity name="A">
          <attribute name="n" attributeType="Integer 16" minValueString="3" maxValueString="3" defaultValueString="3"/>
          <attribute name="s" attributeType="String" minValueString="4" maxValueString="4" defaultValueString="abcd"/>
          <attribute name="free" attributeType="Decimal" defaultValueString="9"/>
          <relationship name="as" toMany="YES" minCount="2" maxCount="2" destinationEntity="A"/>
          <relationship name="bs" toMany="YES" minCount="2" destinationEntity="A"/>
        </entity>
        """),
    Case(
      rule: "duplicate-name",
      broken: """
        <entity name="A"><attribute name="x" attributeType="String"/></entity>
        <entity name="B">
          <attribute name="x" attributeType="String"/>  <relationship name="x" destinationEntity="A"/>
        </entity>
          <entity name="A"><attribute name="x" attributeType="String"/></entity>
        """,
      findings: [
        "m:4:49: error: B.x is declared more than once [duplicate-name]",
        "m:6:3: error: A is declared more than once [duplicate-name]",
      ],
      sound: """
        <entity name="A"><attribute name="x" attributeType="String"/></entity>
        <entity name="B"><attribute name="x" attributeType="String"/></entity>
        """),
    Case(
      rule: "index-without-column",
      broken: """
        <entity name="A">
          <attribute name="a" attributeType="String"/><attribute name="t" transient="YES" attributeType="String"/>
          <relationship name="as" toMany="YES" destinationEntity="A" inverseName="as" inverseEntity="A"/>
          <fetchedProperty name="f"><fetchRequest name="r" entity="A" predicateString="a == 1"/></fetchedProperty>
          <fetchIndex name="byAs"><fetchIndexElement property="a"/><fetchIndexElement property="as"/></fetchIndex>
          <fetchIndex name="byF"><fetchIndexElement property="f"/></fetchIndex>
          <compoundIndexes><compoundIndex><index value="t"/></compoundIndex></compoundIndexes>
          <uniquenessConstraints><uniquenessConstraint><constraint value="as"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="B" parentEntity="A"><fetchIndex name="byAs"><fetchIndexElement property="as"/></fetchIndex></entity>
        """,
      findings: [
        "m:6:3: warning: index byAs of A names “as”, a to-many relationship \(Self.withoutColumn)",
        "m:7:3: warning: index byF of A names “f”, a fetched property \(Self.withoutColumn)",
        "m:8:20: warning: a compound index of A names “t”, a transient attribute \(Self.withoutColumn)",
        "m:9:26: warning: a uniqueness constraint of A names “as”, a to-many relationship \(Self.withoutColumn)",
        "m:11:35: warning: index byAs of B names “as”, a to-many relationship \(Self.withoutColumn)",
      ],
      sound: """
        <entity name="A"><attribute name="a" attributeType="String"/>
          <attribute name="d" attributeType="Date" derived="YES" derivationExpression="now()"/>
          <relationship name="one" maxCount="1" destinationEntity="A"/>
          <fetchIndex name="byAll"><fetchIndexElement property="a"/><fetchIndexElement property="d"/>
          <fetchIndexElement property="one"/><fetchIndexElement property="self"/></fetchIndex>
          <fetchIndex name="byB"><fetchIndexElement property="b"/></fetchIndex></entity>
        """),
    Case(
      rule: "inheritance-cycle",
      broken: """
        <entity name="Leaf" parentEntity="A"/>
        <entity name="A" parentEntity="B"/>
        <entity name="B" parentEntity="A"/>
        <entity name="Own" parentEntity="Own"/>
        """,
      findings: [
        "m:3:1: error: entities inherit from each other in a cycle: A → B → A [inheritance-cycle]",
        "m:5:1: error: entities inherit from each other in a cycle: Own → Own [inheritance-cycle]",
      ],
      sound: #"<entity name="A" parentEntity="B"/><entity name="B"/>"#),
    Case(
      rule: "inherited-name-clash",
      broken: """
        <entity name="A"><attribute name="x" attributeType="String"/></entity>
        <entity name="B" parentEntity="A"/>
        <entity name="C" parentEntity="B"><attribute name="x" attributeType="String"/></entity>
        """,
      findings: ["m:4:35: warning: property C.x hides the property inherited from A [inherited-name-clash]"],
      sound: """
        <entity name="A"><attribute name="x" attributeType="String"/></entity>
        <entity name="C" parentEntity="A"><attribute name="y" attributeType="String"/></entity>
        """),
    Case(
      rule: "missing-inverse",
      broken: """
        <entity name="A">
          <relationship name="b" maxCount="1" destinationEntity="A"/>
        </entity>
        """,
      findings: [
        "m:3:3: warning: relationship A.b does not have an inverse, so it keeps pointing to deleted objects [missing-inverse]"
      ],
      sound: """
        <entity name="A"><relationship name="b" destinationEntity="A" inverseName="b" inverseEntity="A"/>
        <relationship name="t" transient="YES" destinationEntity="A"/></entity>
        """),
    Case(
      rule: "one-sided-inverse",
      broken: """
        <entity name="A">
          <relationship name="gone" destinationEntity="B" inverseName="nothing"/>
          <relationship name="b" destinationEntity="B" inverseName="a"/>
          <relationship name="c" destinationEntity="B" inverseName="none"/>
          <relationship name="d" destinationEntity="B" inverseName="d"/>
        </entity>
        <entity name="B">
          <relationship name="a" destinationEntity="A" inverseName="x"/>
          <relationship name="none" destinationEntity="A"/>
          <relationship name="d" destinationEntity="B" inverseName="d"/>
        </entity>
        """,
      findings: [
        "m:3:3: error: the inverse “nothing” of A.gone is not a relationship of B [one-sided-inverse]",
        "m:4:3: error: the inverse B.a of A.b does not point back: it names “x” [one-sided-inverse]",
        "m:5:3: error: the inverse B.none of A.c does not point back: it does not name an inverse [one-sided-inverse]",
        "m:6:3: error: the inverse B.d of A.d points to B, not to A [one-sided-inverse]",
        "m:9:3: error: the inverse “x” of B.a is not a relationship of A [one-sided-inverse]",
      ],
      sound: """
        <entity name="A"><relationship name="b" destinationEntity="B" inverseName="a"/></entity>
        <entity name="B"><relationship name="a" destinationEntity="A" inverseName="b"/></entity>
        """),
    Case(
      rule: "reserved-name",
      broken: """
        <entity name="A">
          <attribute name="description" attributeType="String"/>
          <attribute name="_pk" attributeType="String"/>
        </entity>
        <entity name="_Metadata"/>
        """,
      findings: [
        "m:3:3: error: property A.description has the name of a method of NSManagedObject [reserved-name]",
        "m:4:3: error: the column of A._pk would be Core Data's own column Z_PK [reserved-name]",
        "m:6:1: error: the table of entity _Metadata would be Core Data's own table Z_METADATA [reserved-name]",
      ],
      sound: #"<entity name="Metadata"><attribute name="details" attributeType="String"/></entity>"#),
    Case(
      rule: "to-many-without-inverse",
      broken: """
        <entity name="A">
          <relationship name="bs" toMany="YES" destinationEntity="A"/>
        </entity>
        """,
      findings: [
        "m:3:3: warning: to-many relationship A.bs does not have an inverse, so Core Data cannot keep it up to date"
          + " [to-many-without-inverse]"
      ],
      sound: #"<entity name="A"><relationship name="b" maxCount="1" destinationEntity="A"/></entity>"#),
    Case(
      rule: "unknown-attribute-type",
      broken: """
        <entity name="A">
          <attribute name="x" attributeType="Strin"/>
          <attribute name="y"/>
          <attribute name="z" attributeType="Composite" composite="Plase"/>
        </entity>
        <composite name="Place"><attribute name="lat" attributeType="Double"/></composite>
        """,
      findings: [
        "m:3:3: error: attribute A.x has the unknown type “Strin” [unknown-attribute-type]",
        "m:4:3: error: attribute A.y is stored but does not have a type [unknown-attribute-type]",
        "m:5:3: error: attribute A.z has the unknown composite type “Plase” [unknown-attribute-type]",
      ],
      sound: """
        <entity name="A"><attribute name="y" transient="YES"/>
        <attribute name="z" attributeType="Composite" composite="Place"/></entity>
        <composite name="Place"><attribute name="lat" attributeType="Double"/></composite>
        """),
    Case(
      rule: "unknown-configuration-member",
      broken: """
        <entity name="A"/>
        <configuration name="Cloud">
          <memberEntity name="B"/>
        </configuration>
        """,
      findings: [
        "m:3:1: error: the member “B” of configuration Cloud is not an entity of the model"
          + " [unknown-configuration-member]"
      ],
      sound: #"<entity name="A"/><configuration name="Cloud"><memberEntity name="A"/></configuration>"#),
    Case(
      rule: "unknown-constraint-property",
      broken: """
        <entity name="A">
          <attribute name="id" attributeType="String"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
            <uniquenessConstraint><constraint value="id"/><constraint value="uid"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        """,
      findings: [
        "m:6:5: error: a uniqueness constraint of A names the property “uid”, which the entity does not have"
          + " [unknown-constraint-property]"
      ],
      sound: """
        <entity name="B"><attribute name="id" attributeType="String"/></entity>
        <entity name="A" parentEntity="B"><uniquenessConstraints><uniquenessConstraint><constraint value="id"/>
        </uniquenessConstraint></uniquenessConstraints></entity>
        <entity name="Orphan" parentEntity="Nobody"><uniquenessConstraints><uniquenessConstraint>
        <constraint value="id"/></uniquenessConstraint></uniquenessConstraints></entity>
        """),
    Case(
      rule: "unknown-derivation-property",
      broken: """
        <entity name="Order">
          <attribute name="total" attributeType="Double" derived="YES" derivationExpression="lines.@sum.prise"/>
          <attribute name="count" attributeType="Integer 64" derived="YES" derivationExpression="line.@count"/>
          <attribute name="plain" attributeType="String" derived="YES" derivationExpression="canonical:(titel)"/>
          <attribute name="title" attributeType="String"/>
          <relationship name="lines" toMany="YES" destinationEntity="Line"/>
        </entity>
        <entity name="Line"><attribute name="price" attributeType="Double"/></entity>
        """,
      findings: [
        "m:3:3: error: Order.total is derived from “prise”, which Line does not have [unknown-derivation-property]",
        "m:4:3: error: Order.count is derived from “line”, which Order does not have [unknown-derivation-property]",
        "m:5:3: error: Order.plain is derived from “titel”, which Order does not have [unknown-derivation-property]",
      ],
      sound: """
        <entity name="Named"><attribute name="title" attributeType="String"/></entity>
        <entity name="Order" parentEntity="Named">
          <attribute name="total" attributeType="Double" derived="YES" derivationExpression="lines.@sum.price"/>
          <attribute name="count" attributeType="Integer 64" derived="YES" derivationExpression="count:(lines)"/>
          <attribute name="plain" attributeType="String" derived="YES" derivationExpression="canonical:(title)"/>
          <attribute name="changed" attributeType="Date" derived="YES" derivationExpression="now()"/>
          <attribute name="other" attributeType="String" derived="YES" derivationExpression="gone.name"/>
          <attribute name="same" attributeType="String" derived="YES" derivationExpression="SELF.title"/>
          <attribute name="seven" attributeType="Integer 16" derived="YES" derivationExpression="7"/>
          <attribute name="nothing" attributeType="String" derived="YES" derivationExpression="nil"/>
          <attribute name="gifts" attributeType="Double" derived="YES" derivationExpression="lines.@sum.discount"/>
          <relationship name="lines" toMany="YES" destinationEntity="Line"/>
          <relationship name="gone" destinationEntity="Nobody"/>
        </entity>
        <entity name="Orphan" parentEntity="Nobody">
          <attribute name="plain" attributeType="String" derived="YES" derivationExpression="canonical:(title)"/>
        </entity>
        <entity name="Line"><attribute name="price" attributeType="Double"/></entity>
        <entity name="Gift" parentEntity="Line"><attribute name="discount" attributeType="Double"/></entity>
        """),
    Case(
      rule: "unknown-destination",
      broken: """
        <entity name="Note">
          <relationship name="tag" destinationEntity="Tags"/>
          <relationship name="nothing"/>
        </entity>
        <entity name="Tag"/>
        """,
      findings: [
        "m:3:3: error: the destination “Tags” of relationship Note.tag is not in the model [unknown-destination]",
        "m:4:3: error: relationship Note.nothing does not have a destination [unknown-destination]",
      ],
      sound: #"<entity name="Note"><relationship name="tag" destinationEntity="Note"/></entity>"#),
    Case(
      rule: "unknown-fetch-property",
      broken: """
        <entity name="E"><attribute name="a" attributeType="String"/>
          <fetchedProperty name="f"><fetchRequest name="r" entity="E" predicateString="a == $FETCH_SOURCE.b"/></fetchedProperty>
        </entity>
        <fetchRequest name="x" entity="E" predicateString="a == $A AND aa IN $B"/>
        <fetchRequest name="y" entity="EE"/>
        """,
      findings: [
        "m:3:3: error: the predicate of E.f names “b”, which E does not have [unknown-fetch-property]",
        "m:5:1: error: the predicate of fetch request x names “aa”, which E does not have [unknown-fetch-property]",
        "m:6:1: error: fetch request y fetches the entity “EE”, which is not in the model [unknown-fetch-property]",
      ],
      sound: """
        <entity name="E"><attribute name="a" attributeType="String"/>
          <relationship name="es" optional="YES" toMany="YES" destinationEntity="E" inverseName="es" inverseEntity="E"/>
        </entity>
        <fetchRequest name="x" entity="E" predicateString="SELF IN $A AND ANY es.a == $B AND es.@count > 1"/>
        """),
    Case(
      rule: "unknown-index-property",
      broken: """
        <entity name="A">
          <fetchIndex name="byDate">
            <fetchIndexElement property="date" type="Binary" order="ascending"/>
          </fetchIndex>
          <compoundIndexes>
            <compoundIndex><index value="id"/></compoundIndex>
          </compoundIndexes>
        </entity>
        """,
      findings: [
        "m:3:3: error: index byDate of A names the property “date”, which the entity does not have [unknown-index-property]",
        "m:7:5: error: a compound index of A names the property “id”, which the entity does not have"
          + " [unknown-index-property]",
      ],
      sound: """
        <entity name="A"><attribute name="date" attributeType="Date"/>
        <fetchIndex name="byDate"><fetchIndexElement property="date"/><fetchIndexElement property="self"/>
        <fetchIndexElement property="entity"/></fetchIndex></entity>
        <entity name="Orphan" parentEntity="Nobody"><fetchIndex name="byId"><fetchIndexElement property="id"/></fetchIndex>
        </entity>
        """),
    Case(
      rule: "unknown-parent",
      broken: """
        <entity name="Person"/>
          <entity name="Child" parentEntity="Persn"/>
        """,
      findings: ["m:3:3: error: the parent “Persn” of entity Child is not in the model [unknown-parent]"],
      sound: #"<entity name="Person"/><entity name="Child" parentEntity="Person"/>"#),
  ]

  private func read(_ body: String) throws -> ModelFile {
    try ContentsReader.read(Data("<model>\n\(body)\n</model>\n".utf8), path: "m")
  }

  private func rule(_ id: String) throws -> Rule { try #require(Rule.all.first { $0.id == id }) }

  @Test(arguments: cases)
  func aBrokenModelIsFoundAtItsPlace(_ example: Case) throws {
    let findings = try rule(example.rule).check(read(example.broken))
    #expect(findings.map(\.description) == example.findings)
  }

  @Test(arguments: cases)
  func aSoundModelIsNot(_ example: Case) throws {
    #expect(try rule(example.rule).check(read(example.sound)).isEmpty)
  }

  @Test func everyExampleIsOfARule() {
    #expect(Self.cases.map(\.rule) == Rule.all.map(\.id).filter(Set(Self.cases.map(\.rule)).contains))
  }

  @Test func aMistypedNameIsAnsweredWithTheNearest() throws {
    let example = try #require(Self.cases.first { $0.rule == "unknown-parent" })
    #expect(Rule.check(try read(example.broken)).map(\.fix) == ["write “Person” instead of “Persn”"])
  }

  @Test func anIndexWithoutColumnIsOneThatAStoreLeavesOut() throws {
    let example = try #require(Self.cases.first { $0.rule == "index-without-column" })
    for text in [example.broken, example.sound] {
      let file = try read(text)
      let leftOut = SQLStoreLayout(of: try EntityHierarchy(file.model)).warnings.compactMap { warning -> String? in
        guard case .untranslatedIndex(let entity, _, let element) = warning, element != "b" else { return nil }
        return "\(entity) names “\(element)”"
      }
      let found = try rule(example.rule).check(file).map(\.message)
      #expect(leftOut.count == found.count && leftOut.allSatisfy { words in found.contains { $0.contains(words) } })
    }
  }

  @Test func everyRuleBearsEveryBrokenModel() throws {
    let everything = Self.cases.map(\.broken).joined(separator: "\n")
    let findings = Rule.check(try read(everything))
    #expect(findings == findings.sorted())
    #expect(Set(findings.map(\.rule)).count >= 10)
  }

  @Test func aModelWithoutPlacesIsCheckedToo() {
    let twice = EntityDescription(name: "A", attributes: [AttributeDescription(name: "x", type: .string)])
    let file = ModelFile(model: ManagedObjectModel(entities: [twice, twice]), path: "code")
    #expect(Rule.check(file).map(\.description) == ["error: A is declared more than once [duplicate-name]"])
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func shippedModelsHaveNoErrorsButTheKnownKinds() throws {
    let files = Corpus.files(in: "models") { $0 == "contents" }
    var counts: [String: Int] = [:]
    var first: [String: String] = [:]
    for url in files {
      for finding in Rule.check(try ContentsReader.read(fileAt: url.path)) {
        counts["\(finding.severity.rawValue) \(finding.rule)", default: 0] += 1
        if first[finding.rule] == nil { first[finding.rule] = finding.description }
      }
    }
    print("model rules over \(files.count) shipped models:", counts.sorted { $0.key < $1.key })
    for (_, line) in first.sorted(by: { $0.key < $1.key }) { print("  ", line) }
    let impossible = ["inheritance-cycle", "unknown-parent", "unknown-destination", "duplicate-name"]
    for rule in impossible { #expect(counts["error \(rule)"] == nil) }
    #expect(files.count > 400)
  }
}
