import Foundation
import ModelDescription
import ModelFiles

/// Archives a small model as Xcode's editor does: what of it a mapping model's snapshot needs.
enum EditorModelFixture {
  static func data(_ model: ManagedObjectModel) -> Data {
    var archive = ArchiveFixture()
    var entities: [String: PropertyList] = [:]
    for entity in model.entities {
      entities[entity.name] = element(
        "XDPMEntity", entity.name,
        [("XD_PSK_isAbstract", archive.add(.boolean(entity.isAbstract)))], in: &archive)
    }
    for entity in model.entities {
      guard let object = entities[entity.name] else { continue }
      var properties: [(String, PropertyList)] = []
      for attribute in entity.attributes {
        let settings: [(String, PropertyList)] = [
          ("XD_PAttK_attributeType", archive.add(.integer(Int64(attribute.type.code ?? 0)))),
          ("XD_PPSK_isOptional", archive.add(.boolean(attribute.isOptional))),
        ]
        properties.append((attribute.name, element("XDPMAttribute", attribute.name, settings, in: &archive)))
      }
      for relationship in entity.relationships {
        let destination = relationship.destinationEntityName.flatMap { entities[$0] } ?? .uid(0)
        let settings: [(String, PropertyList)] = [
          ("XD_PRK_isToMany", archive.add(.boolean(relationship.maxCount != 1))),
          ("XD_PRK_maxCount", archive.add(.integer(Int64(relationship.maxCount)))),
          ("XD_PPSK_isOptional", archive.add(.boolean(relationship.isOptional))),
          ("XD_PRK_destination", destination),
        ]
        properties.append((relationship.name, element("XDPMRelationship", relationship.name, settings, in: &archive)))
      }
      archive.set(object, "XDBucketForOwnedAttributesstorage", to: archive.add(entries: properties))
      if let parent = entity.superentityName {
        let general = archive.add("XDUMLGeneralizationImp", ["_general": entities[parent] ?? .uid(0)])
        archive.set(object, "XDBucketForGeneralizationsstorage", to: archive.add(array: [general]))
      }
    }
    let classes = model.entities.compactMap { entity in entities[entity.name].map { (entity.name, $0) } }
    let package = archive.add("XDModelPackage", ["XDBucketForClassesstorage": archive.add(entries: classes)])
    let root = archive.add("XDPMModel", ["_xd_rootPackage": package])
    return archive.data(root: root)
  }

  private static func element(
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
}
