import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Writes every mapping model of the corpus as a mapping file, and that as Xcode's editor would save it.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusXcodeMappingTests {
  @Test func everyMappingModelComesBackFromAMappingFile() throws {
    let entries = try CorpusMappingModels.some(atMost: 2)
    var (sameFields, sameBytes) = (0, 0)
    for entry in entries {
      let (file, mapping) = (entry.file, try entry.file.compiled())
      let (source, destination) = (file.source.hierarchy, file.destination.hierarchy)
      let document = MappingFileWriter.text(
        of: mapping, from: source, to: destination, sourceVersion: "one", destinationVersion: "two")
      let resolved = try MappingFile(Data(document.utf8), path: "one-two.xml").resolved(from: source, to: destination)
      let text = try XcodeMappingModel.text(of: resolved, from: file.source, to: file.destination, path: "New")
      let written = try XcodeMappingModel(Data(text.utf8), path: entry.name)
      #expect(try written.compiled() == mapping, "\(entry.name)")
      #expect(written.notes.isEmpty, "\(entry.name): \(written.notes)")
      // Core Data finds a mapping model by the hashes of the models inside it.
      #expect(written.source.hashes == file.source.hashes, "\(entry.name)")
      #expect(written.destination.hashes == file.destination.hashes, "\(entry.name)")
      #expect(written.source.versionPath == file.source.versionPath, "\(entry.name)")
      let again = try XcodeMappingModel.text(of: resolved, from: file.source, to: file.destination, path: "New")
      #expect(again == text, "\(entry.name)")
      if Self.fields(written) == Self.fields(file) { sameFields += 1 }
      let bytes = try Data(contentsOf: entry.folder.appendingPathComponent("xcmapping.xml"))
      if Data(text.utf8) == bytes { sameBytes += 1 }
    }
    print("mapping models: \(entries.count), equal fields in \(sameFields), equal bytes in \(sameBytes)")
    #expect(sameFields * 2 > entries.count || !CorpusSample.isWhole && sameFields > 0)
  }

  /// The objects of the archives are those that Xcode wrote, but for numbers that it draws and for what no hash needs.
  @Test func theModelsInsideAreThoseOfXcode() throws {
    let entries = try CorpusMappingModels.some(atMost: 2)
    var (archives, equal) = (0, 0)
    var differences: [String: Int] = [:]
    for entry in entries {
      let mapping = try entry.file.compiled()
      let text = try XcodeMappingModel.text(of: mapping, from: entry.file.source, to: entry.file.destination, path: "")
      let theirs = try Self.archives(Data(contentsOf: entry.folder.appendingPathComponent("xcmapping.xml")))
      let ours = try Self.archives(Data(text.utf8))
      #expect(theirs.count == 2 && ours.count == 2)
      for (their, our) in zip(theirs, ours) {
        let (first, second) = (try ArchivedElements(their), try ArchivedElements(our))
        archives += 1
        if first.fields == second.fields { equal += 1 }
        for (place, value) in first.fields where second.fields[place] != value {
          differences[ArchivedElements.kind(place), default: 0] += 1
        }
        for place in second.fields.keys where first.fields[place] == nil {
          differences[ArchivedElements.kind(place), default: 0] += 1
        }
      }
    }
    print("archives: \(archives), equal \(equal)")
    for (kind, count) in differences.sorted(by: { $0.key < $1.key }) { print("   \(kind) ×\(count)") }
    // Older editors had no uniqueness constraints and fewer buckets; dates are texts of a language.
    let known: Set<String> = [
      "XDPMUniquenessConstraints", "XD_PAttK_defaultValueAsString", "XD_PSK_fetchRequestsArray", "XDPMCompoundIndexes",
      "XDBucketForGeneralizations",
    ]
    #expect(Set(differences.keys).subtracting(known).isEmpty)
    #expect(equal * 2 > archives || !CorpusSample.isWhole && equal > 0)
  }

  /// The entity mappings of a file, without locations.
  private static func fields(_ file: XcodeMappingModel) -> [String] {
    file.entityMappings.map { mapping in
      let properties = (mapping.attributeMappings + mapping.relationshipMappings).map { property in
        "\(property.name) \(property.expression.map { "\($0)" } ?? "") \(property.sourceKeyPath ?? "")"
          + " \(property.sourceMappingName ?? "") \(property.generatesExpression)"
      }.sorted()
      return "\(mapping.number ?? 0) \(mapping.source ?? "") \(mapping.destination ?? "") \(mapping.name ?? "")"
        + " \(mapping.policyClassName ?? "") \(mapping.filter ?? "") \(mapping.userInfo) \(properties)"
    }
  }

  private static func archives(_ document: Data) throws -> [Data] {
    let root = try MarkupReader.read(document, path: "xcmapping.xml")
    return ["sourcemodeldata", "destinationmodeldata"].compactMap { name in
      root.children.flatMap(\.children).first { $0[attribute: "name"] == name }.flatMap { Base64.decoded($0.text) }
    }
  }
}

/// The elements of an editor's archive with all their fields, by names that do not depend on the order of objects.
private struct ArchivedElements {
  private(set) var fields: [String: String] = [:]

  init(_ archive: Data) throws {
    let root = try #require(try KeyedArchive(archive, path: "").root)
    add(root, at: "")
  }

  /// The last name of a place, without what follows it.
  static func kind(_ place: String) -> String {
    let name = place.split(separator: "/").last { $0.hasPrefix("XD") } ?? ""
    return name.hasPrefix("XDBucketForGeneralizations") ? "XDBucketForGeneralizations" : String(name)
  }

  private mutating func add(_ object: ArchivedObject, at place: String) {
    fields[place + "/$class"] = object.classNames.joined(separator: " ")
    if let text = object.string {
      fields[place] = text
    } else if object.isDictionary {
      for (name, value) in object.entries { add(value, at: place + "/" + name) }
    } else if object.isKind(of: "NSArray") {
      for (position, member) in object.elements.enumerated() { add(member, at: "\(place)/\(position)") }
    } else if case .dictionary(let own) = object.value {
      for name in own.keys where name != "$class" {
        guard let value = object[name] else {
          fields[place + "/" + name] = "nil"
          continue
        }
        // The numbers of elements are drawn; what is owned elsewhere is named, not followed.
        if name == "_uniqueElementID" { continue }
        if name.hasPrefix("_"), name != "_xd_rootPackage", let reference = Self.name(of: value) {
          fields[place + "/" + name] = reference
        } else {
          add(value, at: place + "/" + name)
        }
      }
    } else {
      fields[place] = "\(object.value)"
    }
  }

  /// The name of an element that has an owner, or of the model.
  private static func name(of object: ArchivedObject) -> String? {
    if object.isKind(of: "XDPMModel") { return "the model" }
    if object.isKind(of: "XDModelPackage") { return "the package" }
    guard ["XDPMEntity", "XDPMProperty", "XDUMLStereotypeImp"].contains(where: object.isKind) else { return nil }
    let owner = object["_owner"].flatMap(name) ?? ""
    return "\(owner).\(object["_name"]?.string ?? "")"
  }
}
