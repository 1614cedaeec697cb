import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import Testing
import VersionHashing

/// The compiled form: an archive of an `NSMappingModel`.
struct CompiledMappingReaderTests {
  private static let hash = Data(0..<32)

  /// An archived mapping model of one entity mapping.
  private func data(
    _ fields: [String: PropertyList] = [:], predicate: String = "TRUEPREDICATE",
    copies: Int = 1, expression: ((inout ArchiveFixture) -> PropertyList)? = nil
  ) -> Data {
    var archive = ArchiveFixture()
    let manager = archive.variable("manager")
    let arguments = [archive.add(text: "Book"), archive.add(text: predicate)].map { archive.constant($0) }
    let request = archive.function("fetchRequestForSourceEntityNamed:predicateString:", of: manager, arguments)
    let fetch = archive.add(
      "NSFetchRequestExpression",
      [
        "NSExpressionType": .integer(50), "NSFRExpression": request, "NSCountOnlyFlag": .boolean(false),
        "NSMOCExpression": archive.keyPath("sourceContext", of: manager),
      ])
    let value = expression?(&archive) ?? archive.keyPath("title")
    let title = archive.add(
      "NSPropertyMapping", ["NSDestinationPropertyName": archive.add(text: "title"), "NSValueExpression": value])
    let isbn = archive.add(
      "NSPropertyMapping", ["NSDestinationPropertyName": archive.add(text: "isbn"), "NSValueExpression": .uid(0)])
    let all: [String: PropertyList] = [
      "NSMappingName": archive.add(text: "BookToBook"), "NSMappingType": .integer(4),
      "NSSourceEntityName": archive.add(text: "Book"), "NSDestinationEntityName": archive.add(text: "Book"),
      "NSSourceEntityVersionHash": archive.add(.data(Self.hash)),
      "NSAttributeMappings": archive.add(array: [isbn, title]), "NSSourceExpression": fetch,
    ]
    let mapping = archive.add("NSEntityMapping", all.merging(fields) { $1 })
    let root = archive.add(
      "NSMappingModel", ["NSEntityMappings": archive.add(array: Array(repeating: mapping, count: copies))])
    return archive.data(root: root)
  }

  @Test func namesKindsHashesAndExpressionsAreRead() throws {
    let reader = try CompiledMappingReader(data(), path: "Map.cdm")
    let expected = EntityMapping(
      name: "BookToBook", kind: .copy, source: "Book", destination: "Book",
      sourceVersionHash: VersionHash(Self.hash),
      attributeMappings: [
        PropertyMapping(name: "isbn", value: .unset),
        PropertyMapping(name: "title", value: .expression(.keyPath(["title"], of: .variable("source")))),
      ])
    #expect(reader.compilation.mapping == MappingModel(entityMappings: [expected]))
    #expect(reader.sourceExpressions == ["BookToBook": try #require(expected.sourceExpression)])
  }

  @Test func theFilterIsTakenFromTheFetch() throws {
    let reader = try CompiledMappingReader(data(predicate: "title != nil"), path: "Map.cdm")
    let mapping = reader.compilation.mapping.entityMappings[0]
    #expect(
      mapping.filter
        == .comparison(.init(.keyPath(["title"], of: .selfObject), .notEqual, .null)))
    #expect(reader.sourceExpressions["BookToBook"] == mapping.sourceExpression)
  }

  private func finding(_ data: Data) -> MappingFileFinding? {
    let error = #expect(throws: ModelFileError.self) { try CompiledMappingReader.read(data, path: "Map.cdm") }
    guard case .mapping(_, let finding)? = error else { return nil }
    return finding
  }

  @Test func whatCannotBeIsRefused() throws {
    #expect(
      finding(data(["NSMappingType": .integer(9)]))
        == .badArchive(attribute: "BookToBook", .unknownType(9)))
    #expect(
      finding(data(["NSSourceEntityVersionHash": .data(Data([1]))]))
        == .badArchive(attribute: "NSSourceEntityVersionHash of BookToBook", .noHash))
    #expect(
      finding(data(["NSMappingName": .uid(0)]))
        == .badArchive(attribute: "NSEntityMappings", .unnamedEntityMapping))
    #expect(finding(data(["NSSourceEntityName": .uid(0)])) == .unsupportedSourceExpression)
    #expect(
      finding(data { $0.add("NSBlockExpression", ["NSExpressionType": .integer(19)]) })
        == .unreadableExpression(
          of: "BookToBook.title", reason: .unknownKind(19, className: "NSBlockExpression")))
    #expect(
      finding(data(copies: 2))
        == .badArchive(attribute: "NSEntityMappings", .duplicateEntityMapping("BookToBook")))
    var archive = ArchiveFixture()
    let other = archive.add("NSManagedObjectModel", [:])
    #expect(
      finding(archive.data(root: other))
        == .badArchive(attribute: "NSMappingModel", .noMappingModel))
    #expect(finding(Data([1, 2, 3])) != nil)
    #expect(finding(data().prefix(300)) != nil)
  }

  @Test func everyPrefixAndEveryChangedByteIsAnswered() {
    let bytes = data(predicate: "title != nil")
    var (read, refused) = (0, 0)
    func answer(_ data: Data) {
      do {
        _ = try CompiledMappingReader.read(data, path: "Map.cdm")
        read += 1
      } catch {
        refused += 1
      }
    }
    for length in 0..<bytes.count { answer(bytes.prefix(length)) }
    for position in bytes.indices {
      for change: UInt8 in [0x01, 0x10, 0x80] {
        var changed = bytes
        changed[position] ^= change
        answer(changed)
      }
    }
    print("changed compiled mapping models: read \(read), refused \(refused)")
    #expect(read > 0)
    #expect(refused > bytes.count)
  }
}
