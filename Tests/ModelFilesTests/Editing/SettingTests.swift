import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("Settings of an element, changed in the text of its file")
struct SettingTests {
  private static let attribute = #"<attribute name="a" optional="YES" attributeType="TYPE"/>"#
  private static let relationship = #"<relationship name="r" optional="YES" toMany="YES" deletionRule="Nullify"/>"#

  private static func model(_ line: String) -> String { "<model><entity name=\"E\">\(line)</entity></model>" }

  private static func edited(_ changes: [SettingChange], _ line: String, of name: String) throws -> String {
    let edited = try EditedContents(
      .set(.property(entity: "E", name: name), changes), of: Data(model(line).utf8), path: "contents")
    let text = String(decoding: edited.data, as: UTF8.self)
    return String(text.dropFirst(model("").count - "</entity></model>".count).dropLast("</entity></model>".count))
  }

  @Test(
    "Each setting is written as Xcode writes it, in its place",
    arguments: [
      ("Integer 32", [(.optional, "no"), (.defaultValue, "0")], #"attributeType="Integer 32" defaultValueString="0""#),
      ("Double", [(.defaultValue, "0")], #"optional="YES" attributeType="Double" defaultValueString="0.0""#),
      ("Double", [(.minimum, "0")], #"optional="YES" attributeType="Double" minValueString="0""#),
      ("Boolean", [(.required, "true"), (.defaultValue, "1")], #"attributeType="Boolean" defaultValueString="YES""#),
      (
        "String", [(.defaultValue, "ab"), (.regularExpression, "a|b"), (.maximum, "9"), (.minimum, "1")],
        #"optional="YES" attributeType="String" minValueString="1" maxValueString="9" regularExpressionString="a|b" defaultValueString="ab""#
      ),
      (
        "Date", [(.defaultValue, "2001-01-02")],
        #"optional="YES" attributeType="Date" defaultDateTimeInterval="86400""#
      ),
      (
        "Binary", [(.externalStorage, "yes"), (.modifier, "2")],
        #"optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" versionHashModifier="2""#
      ),
      ("UUID", [(.scalar, "no")], #"optional="YES" attributeType="UUID" usesScalarValueType="NO""#),
      (
        "Transformable", [(.className, "C"), (.transformer, "T")],
        #"optional="YES" attributeType="Transformable" valueTransformerName="T" customClassName="C""#
      ),
      ("String", [(.renamingIdentifier, "z")], #"optional="YES" attributeType="String" elementID="z""#),
      ("String", [(.transient, "yes")], #"optional="YES" transient="YES" attributeType="String""#),
    ] as [(String, [(ElementSetting, String)], String)])
  func attributes(_ type: String, _ settings: [(ElementSetting, String)], _ wanted: String) throws {
    let line = Self.attribute.replacing("TYPE", with: type)
    let changes = settings.map { SettingChange($0.0, $0.1) }
    let result = try Self.edited(changes, line, of: "a")
    #expect(result == #"<attribute name="a" \#(wanted)/>"#)
    let back = settings.map { setting, _ in
      SettingChange(
        setting, setting == .optional ? "yes" : [.required, .transient, .externalStorage].contains(setting) ? "no" : "")
    }
    #expect(try Self.edited(back, result, of: "a") == line, "taken away again")
  }

  @Test(
    "Relationships",
    arguments: [
      ([(.count, "one")], #"optional="YES" maxCount="1" deletionRule="Nullify""#),
      ([(.count, "2..5")], #"optional="YES" toMany="YES" minCount="2" maxCount="5" deletionRule="Nullify""#),
      ([(.count, "1..")], #"optional="YES" toMany="YES" minCount="1" deletionRule="Nullify""#),
      (
        [(.ordered, "yes"), (.deleteRule, "no-action"), (.optional, "no")],
        #"toMany="YES" deletionRule="No Action" ordered="YES""#
      ),
    ] as [([(ElementSetting, String)], String)])
  func relationships(_ settings: [(ElementSetting, String)], _ wanted: String) throws {
    let result = try Self.edited(settings.map { SettingChange($0.0, $0.1) }, Self.relationship, of: "r")
    #expect(result == #"<relationship name="r" \#(wanted)/>"#)
    #expect(
      try Self.edited(
        [.init(.count, "many"), .init(.ordered, "no"), .init(.deleteRule, "nullify"), .init(.optional, "yes")], result,
        of: "r") == Self.relationship)
  }

  @Test("An entity: abstract, its class, its modifier and its identifier")
  func entity() throws {
    let edited = try EditedContents(
      .set(
        .entity("E"),
        [.init(.renamingIdentifier, "Old"), .init(.className, "C"), .init(.abstract, "yes"), .init(.modifier, "2")]),
      of: Data(Self.model("").utf8), path: "contents")
    #expect(
      String(decoding: edited.data, as: UTF8.self)
        == #"<model><entity name="E" representedClassName="C" isAbstract="YES" elementID="Old" versionHashModifier="2"></entity></model>"#
    )
    #expect(
      edited.changes.map(\.sentence) == [
        "E: renaming identifier is Old", "E: class is C", "E: abstract is yes", "E: modifier is 2",
      ])
  }

  @Test(
    "Invalid settings are refused with the reason",
    arguments: [
      ("Integer 16", [(.defaultValue, "70000")], "it is not a valid Integer 16; expected a whole number"),
      ("String", [(.minimum, "a")], "it is not a valid Integer 64; expected a whole number"),
      ("Integer 16", [(.regularExpression, "a")], "attributes of type Integer 16 do not have this setting"),
      ("String", [(.regularExpression, "(")], "it is not a valid regular expression"),
      ("String", [(.optional, "perhaps")], "expected yes or no"),
      ("String", [(.optional, "no"), (.required, "no")], "it is set twice"),
      ("String", [(.count, "one")], "has no setting “count”; choose one of optional, required"),
      ("String", [(.optional, "yes")], "already has these settings, so there is nothing to do"),
      ("String", [(.maximum, "2"), (.defaultValue, "abc")], "the default value is above the maximum"),
      ("Integer 16", [(.minimum, "3"), (.maximum, "2")], "the minimum is above the maximum"),
      ("Binary", [(.defaultValue, "hex:00")], "a contents file cannot hold a value of type Binary"),
      ("String", [(.renamingIdentifier, "b")], "“b” identifies E.b in other versions"),
    ] as [(String, [(ElementSetting, String)], String)])
  func refused(_ type: String, _ settings: [(ElementSetting, String)], _ words: String) throws {
    let line = Self.attribute.replacing("TYPE", with: type) + #"<attribute name="b" attributeType="String"/>"#
    let error = #expect(throws: ContentsEditError.self) {
      try Self.edited(settings.map { SettingChange($0.0, $0.1) }, line, of: "a")
    }
    #expect("\(try #require(error))".contains(words), "\(String(describing: error))")
  }

  @Test("Counts that are none", arguments: ["0", "..", "5..2", "..1", "-1..", "a", "1..99999999999", ""])
  func counts(_ text: String) {
    #expect(throws: ContentsEditError.self) {
      try Self.edited([.init(.count, text)], Self.relationship, of: "r")
    }
  }

  @Test("The names of entities: Xcode wants a capital letter first", arguments: ["order", "_Order", "élan"])
  func entityNames(_ name: String) {
    #expect(throws: ContentsEditError.self) {
      try EditedContents(.addEntity(EntityDescription(name: name)), of: Data(Self.model("").utf8), path: "contents")
    }
    #expect(throws: ContentsEditError.self) {
      try EditedContents(.rename(.entity("E"), to: name), of: Data(Self.model("").utf8), path: "contents")
    }
    #expect(ElementName.objection(toEntity: "Ärztin") == nil && ElementName.objection(toEntity: "订单") == nil)
  }
}

@Suite(
  "Settings in every contents file of the corpus",
  .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusSettingTests {
  @Test("The edited file equals Xcode's file of the changed model, and undoing the setting gives the same bytes")
  func written() throws {
    var (files, edits) = (0, 0)
    let all = CorpusWritingTests.files
    let chosen = Thoroughness.positions(of: all.count, atMost: 4)
    for (number, url) in all.enumerated() where chosen.contains(number) {
      let data = try Data(contentsOf: url)
      guard let document = try? ContentsDocument(data, path: url.path), document.data == data,
        (try? EntityHierarchy(document.model)) != nil
      else { continue }
      files += 1
      for (position, entity) in document.model.entities.enumerated() where !entity.attributes.isEmpty {
        #expect(ElementName.objection(toEntity: entity.name) == nil, "\(url.path) \(entity.name)")
        let index = (number + position) % entity.attributes.count
        let attribute = entity.attributes[index]
        guard attribute.versionHashModifier == nil, !attribute.isTransient, attribute.derivation == nil else {
          continue
        }
        let element = ModelElement.property(entity: entity.name, name: attribute.name)
        func set(_ changes: [SettingChange], _ data: Data) throws -> Data {
          try EditedContents(.set(element, changes), of: data, path: url.path).data
        }
        let optional = attribute.isOptional ? "no" : "yes"
        let result = try set([.init(.modifier, "new"), .init(.optional, optional)], data)
        var changed = document
        changed.model.entities[position].attributes[index].versionHashModifier = "new"
        changed.model.entities[position].attributes[index].isOptional.toggle()
        #expect(result == changed.data, "\(url.path) \(element)")
        let back = try set([.init(.modifier, ""), .init(.optional, attribute.isOptional ? "yes" : "no")], result)
        #expect(try ContentsReader.read(back, path: url.path).model == document.model)
        edits += 2
      }
    }
    print("settings: \(edits) edits of \(files) files, all as Xcode writes them")
    #expect(edits > 0)
  }
}
