import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite(
  "Edits of every contents file of the corpus, taken back",
  .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusEditingTests {
  private static func edit(_ edit: ContentsEdit, _ data: Data, _ url: URL) throws -> Data {
    try EditedContents(edit, of: data, path: url.path).data
  }

  @Test("Adding and removing gives the same bytes; undoing a rename leaves an identifier")
  func takenBack() throws {
    var (files, edits, lines) = (0, 0, 0)
    let all = CorpusWritingTests.files
    let chosen = Thoroughness.positions(of: all.count, atMost: 8)
    for (number, url) in all.enumerated() where chosen.contains(number) {
      let data = try Data(contentsOf: url)
      guard let model = try? ContentsReader.read(data, path: url.path).model, (try? EntityHierarchy(model)) != nil,
        !model.entities.isEmpty
      else { continue }
      files += 1
      let entity = model.entities[number % model.entities.count]
      let added = ModelElement.property(entity: entity.name, name: "addedByTheTest")
      let attribute = AttributeDescription(name: "addedByTheTest", type: .string, isOptional: true)
      let more = try Self.edit(.addAttribute(attribute, entity: entity.name), data, url)
      lines = max(lines, Self.lineCount(more) - Self.lineCount(data))
      #expect(try Self.edit(.remove(added), more, url) == data, "\(url.path) \(entity.name)")
      let new = EntityDescription(name: "AddedByTheTest", attributes: [attribute])
      let larger = try Self.edit(.addEntity(new), data, url)
      #expect(try Self.edit(.remove(.entity(new.name)), larger, url) == data, "\(url.path)")
      edits += 4
      let names =
        entity.attributes.map(\.name).rotated(by: number).prefix(1)
        + entity.relationships.map(\.name).rotated(by: number).prefix(1)
      for name in names {
        let renamed = try Self.edit(
          .rename(.property(entity: entity.name, name: name), to: "renamedByTheTest"), data, url)
        let back = try Self.edit(
          .rename(.property(entity: entity.name, name: "renamedByTheTest"), to: name), renamed, url)
        #expect([0, " elementID=\"\(name)\"".utf8.count].contains(back.count - data.count), "\(url.path) \(name)")
        edits += 2
      }
      let renamed = try Self.edit(.rename(.entity(entity.name), to: "RenamedByTheTest"), data, url)
      let back = try Self.edit(.rename(.entity("RenamedByTheTest"), to: entity.name), renamed, url)
      #expect([0, " elementID=\"\(entity.name)\"".utf8.count].contains(back.count - data.count), "\(url.path)")
      #expect(
        try ContentsReader.read(back, path: url.path).model.withoutIdentifiers == model.withoutIdentifiers,
        "\(url.path)")
      edits += 2
    }
    print("edits: \(edits) of \(files) models, all taken back; an added attribute is at most \(lines) lines")
    #expect(files > 0 && lines <= 2)
  }

  private static func lineCount(_ data: Data) -> Int { data.count { $0 == UInt8(ascii: "\n") } }
}

extension Array {
  fileprivate func rotated(by count: Int) -> [Element] {
    isEmpty ? [] : Array(self[(count % self.count)...] + self[..<(count % self.count)])
  }
}

extension ManagedObjectModel {
  fileprivate var withoutIdentifiers: ManagedObjectModel {
    var model = self
    for position in model.entities.indices { model.entities[position].renamingIdentifier = nil }
    return model
  }
}
