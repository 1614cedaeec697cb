import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Every fetch request of the corpus", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusTemplateTests {
  @Test("Templates and fetched properties are read, and become statements for a store of their model")
  func templates() throws {
    let files = Corpus.files(in: "models") { $0 == "contents" || $0 == "elements" }
    var (templates, properties, predicates) = (0, 0, 0)
    var refused: [String] = []
    for file in files {
      guard let model = try? Self.model(file), let hierarchy = try? EntityHierarchy(model) else { continue }
      let fetched = model.entities.flatMap { entity in entity.fetchedProperties.map { (entity.name, $0) } }
      guard !model.fetchRequests.isEmpty || !fetched.isEmpty else { continue }
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      try StoreCreator(of: hierarchy).create(at: path)
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      try reader.read { database in
        let reading = try RecordReading(of: hierarchy, path: path, in: database)
        for template in model.fetchRequests {
          templates += 1
          predicates += template.predicate == nil ? 0 : 1
          do {
            let request = try RecordRequest(
              template: template.name, of: hierarchy, variables: Self.variables(template, hierarchy))
            #expect(try reading.fetch(request).isEmpty && !reading.explain(request).steps.isEmpty)
          } catch let error as RecordRequestError {
            refused.append("\(template.name): \(error)")
          }
        }
        for (entity, property) in fetched where property.fetchRequest != nil {
          let id = RecordID(entity: entity, key: 1)
          #expect(try reading.fetch(RecordRequest(fetchedProperty: property.name, of: id, in: hierarchy)).isEmpty)
          properties += 1
          predicates += property.fetchRequest?.predicate == nil ? 0 : 1
        }
      }
    }
    print("\(templates) templates and \(properties) fetched properties of the corpus, \(predicates) with a predicate")
    // One names an attribute that its model writes otherwise, one asks for dictionaries.
    let reasons = [
      "fetchTheDucks: at character 1: lastName: Person has no property “lastName”",
      "FetchRequest: FetchRequest: the setting resultType=2",
    ]
    #expect(refused.count == reasons.count && zip(refused, reasons).allSatisfy { $0.hasPrefix($1) }, "\(refused)")
    #expect(templates == 11 && properties == 2 && predicates == 7)
  }

  private static func model(_ file: URL) throws -> ManagedObjectModel {
    let data = try Data(contentsOf: file)
    return try file.lastPathComponent == "contents"
      ? ContentsReader.read(data, path: file.path).model : ElementsReader.read(data, path: file.path).model
  }

  /// A value for each variable, of the type that it is compared with.
  private static func variables(
    _ template: FetchRequestDescription, _ hierarchy: EntityHierarchy
  ) -> [String: any PredicateArgument] {
    switch template.name {
    case "byHumanName", "oneByHumanName": ["humanName": "x"]
    case "byParentName": ["parentName": "x"]
    case "byParent": ["parent": RecordID(entity: "Parent", key: 1)]
    default: [:]
    }
  }
}
