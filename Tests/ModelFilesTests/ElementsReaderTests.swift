import Foundation
import ModelDescription
import ModelFiles
import Testing

/// The editor's archive, with settings on stereotypes.
struct ElementsReaderTests {
  /// An element of the editor: its name and the settings on its only stereotype.
  private func element(
    _ className: String, _ name: String, _ settings: [(String, PropertyList)], in archive: inout ArchiveFixture
  ) -> PropertyList {
    let properties = settings.map { key, value in
      (key, archive.add("XDUMLPropertyImp", ["_name": archive.add(text: key), "_default": value]))
    }
    let stereotype = archive.add(
      "XDUMLStereotypeImp", ["XDBucketForOwnedAttributesstorage": archive.add(entries: properties)])
    return archive.add(
      className,
      [
        "_name": archive.add(text: name),
        "XDBucketForStereotypesstorage": archive.add(entries: [("S", stereotype)]),
      ])
  }

  @Test func settingsOfEveryKind() throws {
    var archive = ArchiveFixture()
    let title = element(
      "XDPMAttribute", "title",
      [
        ("XD_PAttK_attributeType", archive.add(.integer(700))), ("XD_PPSK_isOptional", archive.add(.boolean(true))),
        ("XD_PAttK_defaultValueAsString", archive.add(text: "none")),
        ("XD_PAttK_maxValueString", archive.add(text: "25")), ("XD_PPSK_elementID", archive.add(text: "name")),
        ("XD_PPSK_versionHashModifier", .uid(0)),
      ], in: &archive)
    let owner = element(
      "XDPMRelationship", "owner",
      [("XD_PRK_isToMany", archive.add(.boolean(false))), ("XD_PRK_maxCount", archive.add(.integer(0)))],
      in: &archive)
    let items = element(
      "XDPMRelationship", "items",
      [
        ("XD_PRK_isToMany", archive.add(.boolean(true))), ("XD_PRK_minCount", archive.add(.integer(1))),
        ("XD_PRK_deleteRule", archive.add(.integer(2))), ("XD_PRK_inverseRelationship", owner),
      ], in: &archive)
    let tuple = archive.add(array: [archive.add(text: "title")])
    let list = element(
      "XDPMEntity", "List",
      [
        ("XD_PSK_isAbstract", archive.add(.boolean(true))),
        ("XDPMUniquenessConstraints", archive.add(array: [tuple])),
        ("XD_PSK_entityClassName", archive.add(text: "NSManagedObject")),
      ], in: &archive)
    archive.set(
      list, "XDBucketForOwnedAttributesstorage", to: archive.add(entries: [("title", title), ("items", items)]))
    archive.set(items, "_owner", to: list)
    let item = element("XDPMEntity", "Item", [], in: &archive)
    let general = archive.add("XDUMLGeneralizationImp", ["_general": list, "_specific": item])
    archive.set(item, "XDBucketForGeneralizationsstorage", to: archive.add(array: [general]))
    archive.set(item, "XDBucketForOwnedAttributesstorage", to: archive.add(entries: [("owner", owner)]))
    archive.set(owner, "_owner", to: item)
    let package = archive.add(
      "XDModelPackage", ["XDBucketForClassesstorage": archive.add(entries: [("List", list), ("Item", item)])])
    let root = archive.add(
      "XDPMModel", ["_xd_rootPackage": package, "_modelVersionIdentifier": archive.add(text: "3")])

    let file = try ElementsReader.read(archive.data(root: root), path: "elements")
    let expected = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "List", isAbstract: true,
          attributes: [
            AttributeDescription(
              name: "title", type: .string, isOptional: true, defaultValue: .string("none"),
              validation: AttributeValidation(maximum: .integer(25)), renamingIdentifier: "name")
          ],
          relationships: [
            RelationshipDescription(
              name: "items", destinationEntityName: nil, inverseName: "owner", inverseEntityName: "Item", minCount: 1,
              deleteRule: .cascade)
          ],
          uniquenessConstraints: [["title"]]),
        EntityDescription(
          name: "Item", superentityName: "List",
          relationships: [RelationshipDescription(name: "owner", destinationEntityName: nil, maxCount: 1)]),
      ],
      versionIdentifiers: ["3"])
    #expect(file.model == expected)
    #expect(file.notes.isEmpty)
  }

  @Test func anArchiveOfSomethingElseIsRefused() {
    var fixture = ArchiveFixture()
    let data = fixture.data(root: fixture.add("NSManagedObjectModel", [:]))
    #expect(throws: ModelFileError.brokenArchive(path: "e", reason: "it contains no XDPMModel")) {
      try ElementsReader.read(data, path: "e")
    }
  }
}
