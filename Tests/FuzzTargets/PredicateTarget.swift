import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import PredicateOracle
import StoreRows

/// Predicates of requests: read with arguments, checked against a model, asked of a store and of the same objects in memory.
enum PredicateTarget {
  /// A store with a few objects, made once, and its objects with their links.
  private struct Sample {
    let path: String
    let hierarchy: EntityHierarchy
    let records: [ObjectRecord]
  }

  private static let sample: Result<Sample, any Error> = Result { try makeSample() }

  static func run(_ data: Data) throws {
    let sample = try sample.get()
    let text = String(decoding: data, as: UTF8.self)
    let arguments: [any PredicateArgument] = [
      "date", 3, [1, 2], RecordID(entity: "Customer", key: 1), Date(timeIntervalSinceReferenceDate: 0),
    ]
    // As many of them as the text takes.
    let count = text.split(separator: "%", omittingEmptySubsequences: false).count - 1
    let objects = RecordObjects(sample.hierarchy, sample.records, of: sample.path)
    let reader = try StoreReader(path: sample.path, busyTimeout: 0)
    defer { reader.close() }
    try reader.read { database in
      let reading = try RecordReading(of: sample.hierarchy, path: sample.path, in: database)
      for entity in sample.hierarchy.model.entities {
        do {
          let request = try RecordRequest(
            entity.name, where: text, arguments: Array(arguments.prefix(min(count, arguments.count))))
          try ask(request, reading, objects, sample.records)
        } catch let finding as FuzzFinding {
          throw finding
        } catch {
          _ = "\(error)"
          try checkPlace(error, text)
        }
      }
    }
  }

  /// SQL and memory find the same objects, or one of them reports a refusal.
  private static func ask(
    _ request: RecordRequest, _ reading: RecordReading, _ objects: RecordObjects, _ records: [ObjectRecord]
  ) throws {
    _ = try reading.explain(request).steps.count
    let found = try Set(reading.fetch(request).map(\.id))
    let evaluator = try RecordEvaluator(request, over: objects, now: Date().timeIntervalSinceReferenceDate)
    for record in records {
      // An error can stand behind what SQL did not ask.
      guard let matches = try? evaluator.matches(record.id) else { continue }
      try FuzzFinding.expect(
        matches == found.contains(record.id),
        "SQL and memory differ over \(record.id): \(request.predicate?.description ?? "")")
    }
  }

  private static func checkPlace(_ error: any Error, _ text: String) throws(FuzzFinding) {
    switch error as? RecordRequestError {
    case .syntax(let error, _):
      try FuzzFinding.expect((0...text.unicodeScalars.count).contains(error.offset), "a mistake has no place: \(error)")
    case .meaning(let error, _, let offset):
      try FuzzFinding.expect(
        offset.map { (0..<text.unicodeScalars.count).contains($0) } ?? true, "a mistake has no place: \(error)")
    default: break
    }
  }

  private static func makeSample() throws -> Sample {
    let hierarchy = try FuzzSamples.order(4).hierarchy
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("sample.sqlite").path
    try StoreCreator(of: hierarchy).create(at: path, filling: SyntheticRows(seed: 7, rowsPerEntity: 4))
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let records = try reader.read { database in
      try QueryTarget.records(RecordReading(of: hierarchy, path: path, in: database), hierarchy)
    }
    return Sample(path: path, hierarchy: hierarchy, records: records)
  }
}
