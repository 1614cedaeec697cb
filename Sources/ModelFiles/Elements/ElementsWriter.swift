import Foundation
import ModelDescription
import VersionHashing

/// Writes a model as the editor's archive, the format of the two models inside a mapping model.
///
/// Parts without influence on version hashes that no known archive contains are omitted: fetched properties,
/// configurations, fetch indexes, default dates. Source: the objects and fields of 90 archives in 45 mapping models.
struct ElementsWriter {
  private static let null = PropertyList.uid(0)
  private static let element = ["XDUMLNamedElementImp", "XDUMLElementImp", "NSObject"]
  private static let namespace = ["XDUMLNamespaceImp"] + element
  private static let classifier = ["XDUMLClassImp", "XDUMLClassifierImp"] + namespace
  private static let setting = ["XDUMLPropertyImp"] + element

  private let hierarchy: EntityHierarchy
  private var writer = ArchivedValueWriter()
  private var texts: [Data: PropertyList] = [:]
  private var numbers: [Int64: PropertyList] = [:]
  private var flags: [Bool: PropertyList] = [:]
  private var identifiers: Set<Int64> = []
  /// Entities, relationships and inheritances refer to each other, so that their places are known before they are filled.
  private var entities: [String: PropertyList] = [:]
  private var relationships: [String: [String: PropertyList]] = [:]
  private var inheritances: [String: PropertyList] = [:]

  private init(_ hierarchy: EntityHierarchy) { self.hierarchy = hierarchy }

  static func archive(of hierarchy: EntityHierarchy) -> Data {
    var writer = ElementsWriter(hierarchy)
    return Data(writer.archive())
  }

  private mutating func archive() -> [UInt8] {
    let (model, package) = (reserve(), reserve())
    let described = hierarchy.model.entities
    for entity in described {
      entities[entity.name] = reserve()
      for relationship in entity.relationships {
        relationships[entity.name, default: [:]][relationship.name] = reserve()
      }
      if entity.superentityName != nil { inheritances[entity.name] = reserve() }
    }
    let record = append(
      Self.classifier, named("XDGenericRecordClass", in: Self.null) + ["_isAbstract": .boolean(false)])
    for entity in described { write(entity, of: package, record: record) }
    let classes = dictionary(described.map { ($0.name, reference($0.name)) })
    var fields = named("", in: Self.null) + bucket("Classes", classes)
    for name in ["Interfaces", "DataTypes", "Packages"] { fields += bucket(name, dictionary([])) }
    fill(package, ["XDModelPackage", "XDUMLPackageImp"] + Self.namespace, fields + ["_xd_owningModel": model])
    fill(
      model, ["XDPMModel", "XDModel", "NSObject"],
      [
        "_xd_rootPackage": package, "_xd_comments": list([]), "_xd_modelManager": Self.null,
        "_xd_modelName": Self.null, "_configurationsByName": dictionary([]),
        "_modelVersionIdentifier": text(hierarchy.model.versionIdentifiers.first ?? ""),
      ])
    return writer.archive(of: ["root": model])
  }

  private func reference(_ entity: String?) -> PropertyList { entity.flatMap { entities[$0] } ?? Self.null }

  private mutating func write(_ entity: EntityDescription, of package: PropertyList, record: PropertyList) {
    let place = reference(entity.name)
    var properties: [(String, PropertyList)] = []
    for attribute in entity.attributes {
      properties.append((attribute.name, write(attribute, of: entity.name)))
    }
    for relationship in entity.relationships {
      properties.append((relationship.name, write(relationship, of: entity.name)))
    }
    let stereotype = stereotype("XD_PStereotype", of: place, settings(of: entity, record: record))
    var fields = named(entity.name, in: package, identifier: entity.name)
    fields += bucket("OwnedAttributes", dictionary(properties), isOrdered: true)
    fields += bucket("Stereotypes", dictionary([("XD_PStereotype", stereotype)]), isOrdered: true)
    let inheritance = inheritances[entity.name]
    fields += bucket("Generalizations", list(inheritance.map { [$0] } ?? []), isOrdered: true, hasDuplicates: true)
    let below = hierarchy.subentities(of: entity.name).compactMap { inheritances[$0.name] }
    if !below.isEmpty {
      fields += bucket("Specializations", list(below), isOrdered: true, hasDuplicates: true)
    }
    fill(place, ["XDPMEntity"] + Self.classifier, fields + ["_isAbstract": .boolean(entity.isAbstract)])
    guard let inheritance else { return }
    fill(
      inheritance, ["XDUMLGeneralizationImp"] + Self.element,
      named(nil, in: place, identifier: "\(entity.name):") + [
        "_general": reference(entity.superentityName), "_specific": place,
      ])
  }

  private mutating func settings(of entity: EntityDescription, record: PropertyList) -> [(String, PropertyList)] {
    let requests = hierarchy.model.fetchRequests.filter { $0.entityName == entity.name }.map { request in
      append(
        ["XDPMFetchRequest", "NSObject"],
        [
          "_name": text(request.name), "_entity": reference(entity.name), "_fetchedProperty": Self.null,
          "_predicateString": text(request.predicate),
        ])
    }
    return [
      ("XDPMCompoundIndexes", lists(entity.compoundIndexes)), ("XD_PSK_elementID", text(entity.renamingIdentifier)),
      ("XDPMUniquenessConstraints", lists(entity.uniquenessConstraints)),
      ("XD_PSK_versionHashModifier", text(entity.versionHashModifier)), ("XD_PSK_fetchRequestsArray", list(requests)),
      ("XD_PSK_isAbstract", flag(entity.isAbstract)), ("XD_PSK_userInfo", dictionary(entity.userInfo)),
      ("XD_PSK_classMapping", record), ("XD_PSK_entityClassName", text(entity.className)),
    ]
  }

  private mutating func write(_ attribute: AttributeDescription, of entity: String) -> PropertyList {
    let place = reserve()
    // The editor keeps dates as texts of somebody's language.
    let bounds = attribute.type == .date ? AttributeValidation() : attribute.validation
    let value = attribute.type == .date ? nil : attribute.defaultValue.flatMap(AttributeSpelling.defaultValue)
    let common = settings(
      isOptional: attribute.isOptional, isTransient: attribute.isTransient, isIndexed: attribute.isIndexed,
      isIndexedBySpotlight: attribute.isIndexedBySpotlight, identifier: attribute.renamingIdentifier,
      modifier: attribute.versionHashModifier, userInfo: attribute.userInfo)
    let own: [(String, PropertyList)] = [
      ("XD_PAttK_defaultValueAsString", text(value)),
      ("XD_PAttK_allowsExternalBinaryDataStorage", flag(attribute.allowsExternalBinaryDataStorage)),
      ("XD_PAttK_minValueString", text(bounds.minimum.flatMap(AttributeSpelling.limit))),
      ("XD_PAttK_attributeType", number(Int64(attribute.type.code ?? 0))),
      ("XD_PAttK_maxValueString", text(bounds.maximum.flatMap(AttributeSpelling.limit))),
      ("XD_PAttK_valueTransformerName", text(attribute.valueTransformerName)),
      ("XD_PAttK_regularExpressionString", text(bounds.regularExpression)),
    ]
    fillProperty(
      place, "XDPMAttribute", attribute.name, of: entity, common, stereotype("XD_PAtt_Stereotype", of: place, own),
      named: "XD_PAtt_Stereotype")
    return place
  }

  private mutating func write(_ relationship: RelationshipDescription, of entity: String) -> PropertyList {
    let place = relationships[entity]?[relationship.name] ?? Self.null
    let destination = relationship.destinationEntityName
    let inverse = relationship.inverseName.flatMap { name in
      (relationship.inverseEntityName ?? destination).flatMap { hierarchy.allRelationships(of: $0)[name] }
    }
    let common = settings(
      isOptional: relationship.isOptional, isTransient: relationship.isTransient, isIndexed: relationship.isIndexed,
      isIndexedBySpotlight: false, identifier: relationship.renamingIdentifier,
      modifier: relationship.versionHashModifier, userInfo: relationship.userInfo)
    var own: [(String, PropertyList)] = [
      ("XD_PRK_minCount", number(Int64(relationship.minCount))),
      ("XD_PRK_deleteRule", number(Int64(relationship.deleteRule.rawValue))),
      ("XD_PRK_maxCount", number(Int64(relationship.maxCount))), ("XD_PRK_destination", reference(destination)),
      ("XD_PRK_isToMany", flag(relationship.isToMany)), ("XD_PRK_ordered", flag(relationship.isOrdered)),
    ]
    if let inverse = inverse.flatMap({ relationships[$0.entity.name]?[$0.property.name] }) {
      own.append(("XD_PRK_inverseRelationship", inverse))
    }
    fillProperty(
      place, "XDPMRelationship", relationship.name, of: entity, common, stereotype("XD_PR_Stereotype", of: place, own),
      named: "XD_PR_Stereotype")
    return place
  }

  private mutating func settings(
    isOptional: Bool, isTransient: Bool, isIndexed: Bool, isIndexedBySpotlight: Bool, identifier: String?,
    modifier: String?, userInfo: [String: String]
  ) -> [(String, PropertyList)] {
    [
      ("XD_PPSK_isStoredInTruthFile", flag(false)), ("XD_PPSK_versionHashModifier", text(modifier)),
      ("XD_PPSK_userInfo", dictionary(userInfo)), ("XD_PPSK_isIndexed", flag(isIndexed)),
      ("XD_PPSK_isOptional", flag(isOptional)), ("XD_PPSK_isSpotlightIndexed", flag(isIndexedBySpotlight)),
      ("XD_PPSK_elementID", text(identifier)), ("XD_PPSK_isTransient", flag(isTransient)),
    ]
  }

  private mutating func fillProperty(
    _ place: PropertyList, _ className: String, _ name: String, of entity: String,
    _ settings: [(String, PropertyList)], _ own: PropertyList, named ownName: String
  ) {
    let common = stereotype("XD_PPropStereotype", of: place, settings)
    let fields = propertyFields(name, in: reference(entity), identifier: "\(entity).\(name)", default: Self.null)
    fill(
      place, [className, "XDPMProperty"] + Self.setting,
      fields
        + bucket("Stereotypes", dictionary([("XD_PPropStereotype", common), (ownName, own)]), isOrdered: true))
  }

  /// A stereotype: named settings that hang on an element.
  private mutating func stereotype(
    _ name: String, of owner: PropertyList, _ settings: [(String, PropertyList)]
  ) -> PropertyList {
    let place = reserve()
    var members: [(String, PropertyList)] = []
    for (key, value) in settings {
      members.append((key, append(Self.setting, propertyFields(key, in: place, identifier: nil, default: value))))
    }
    fill(
      place, ["XDUMLStereotypeImp"] + Self.classifier,
      named(name, in: owner) + bucket("OwnedAttributes", dictionary(members), isOrdered: true)
        + ["_isAbstract": .boolean(false)])
    return place
  }

  private mutating func propertyFields(
    _ name: String, in owner: PropertyList, identifier: String?, default value: PropertyList
  ) -> [String: PropertyList] {
    var fields = named(name, in: owner, identifier: identifier)
    fields += ["_type": Self.null, "_default": value, "_association": Self.null]
    for flag in ["isReadOnly", "isStatic", "isUnique", "isDerived", "isOrdered", "isComposite", "isLeaf"] {
      fields["_\(flag)"] = .boolean(false)
    }
    return fields
  }

  private mutating func named(
    _ name: String?, in owner: PropertyList, identifier: String? = nil
  ) -> [String: PropertyList] {
    [
      "_name": text(name), "_owner": owner, "_visibility": .integer(0),
      "_uniqueElementID": identifier.map { number(unique($0)) } ?? Self.null,
    ]
  }

  /// A number as the editor draws it, here made of the element's name: the same model gives the same bytes.
  private mutating func unique(_ name: String) -> Int64 {
    let digest = DataDigest.sha256(of: Data(name.utf8)).prefix(7).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    var number = 400_000_000 + digest % 4_500_000_000
    while !identifiers.insert(number).inserted { number += 1 }
    return number
  }

  private mutating func bucket(
    _ name: String, _ storage: PropertyList, isOrdered: Bool = false, hasDuplicates: Bool = false
  ) -> [String: PropertyList] {
    var fields = ["XDBucketFor\(name)storage": storage, "XDBucketFor\(name)wasEncoded": text("YES")]
    if isOrdered { fields["XDBucketFor\(name)ordered"] = text("ordered") }
    if hasDuplicates { fields["XDBucketFor\(name)duplicates"] = text("duplicates") }
    return fields
  }

  private mutating func reserve() -> PropertyList { writer.append(.string("$null")) }

  private mutating func fill(_ place: PropertyList, _ classes: [String], _ fields: [String: PropertyList]) {
    writer.replace(place, with: writer.object(of: classes, fields))
  }

  private mutating func append(_ classes: [String], _ fields: [String: PropertyList]) -> PropertyList {
    writer.append(writer.object(of: classes, fields))
  }

  private mutating func list(_ members: [PropertyList]) -> PropertyList {
    append(["NSMutableArray", "NSArray", "NSObject"], ["NS.objects": .array(members)])
  }

  private mutating func lists(_ groups: [[String]]) -> PropertyList {
    list(groups.map { group in list(group.map { text($0) }) })
  }

  private mutating func dictionary(_ entries: [(String, PropertyList)]) -> PropertyList {
    append(
      ["NSMutableDictionary", "NSDictionary", "NSObject"],
      ["NS.keys": .array(entries.map { text($0.0) }), "NS.objects": .array(entries.map(\.1))])
  }

  private mutating func dictionary(_ entries: [String: String]) -> PropertyList {
    dictionary(entries.sorted { $0.key < $1.key }.map { ($0.key, text($0.value)) })
  }

  private mutating func text(_ text: String?) -> PropertyList {
    guard let text else { return Self.null }
    let bytes = Data(text.utf8)
    if let known = texts[bytes] { return known }
    let reference = writer.add(.string(text))
    texts[bytes] = reference
    return reference
  }

  private mutating func number(_ number: Int64) -> PropertyList {
    if let known = numbers[number] { return known }
    let reference = writer.append(.integer(number))
    numbers[number] = reference
    return reference
  }

  private mutating func flag(_ flag: Bool) -> PropertyList {
    if let known = flags[flag] { return known }
    let reference = writer.append(.boolean(flag))
    flags[flag] = reference
    return reference
  }
}

extension [String: PropertyList] {
  fileprivate static func + (first: Self, second: Self) -> Self { first.merging(second) { $1 } }
  fileprivate static func += (first: inout Self, second: Self) { first.merge(second) { $1 } }
}
