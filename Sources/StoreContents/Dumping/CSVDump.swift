import ModelDescription
import StoreRows

/// Dumps objects as comma-separated values, a file for each entity.
struct CSVDump {
  private let part: DumpedPart
  private let reading: RecordReading

  init(_ part: DumpedPart, _ reading: RecordReading) { (self.part, self.reading) = (part, reading) }

  func write(_ begin: (String) throws -> DumpStream) throws -> StoreDump.Outcome {
    var outcome = StoreDump.Outcome()
    let references = DumpedReferences(in: reading) { "\($0):" }
    for entity in part.entities {
      guard !entity.name.hasPrefix("."), !entity.name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
      else {
        throw DumpError.unusableName(entity: entity.name)
      }
      var stream = try begin("\(entity.name).csv")
      let objects = try CSVObjects(of: entity, part, references, in: reading)
      let count = try objects.write(to: &stream, counting: &outcome)
      outcome.objects[entity.name] = count
      try stream.flush()
    }
    return outcome
  }
}
