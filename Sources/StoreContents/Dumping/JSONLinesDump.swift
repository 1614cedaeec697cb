import AtomicStores
import ModelDescription
import StoreRows

/// Dumps objects as JSON, each on a line with the name of its entity.
struct JSONLinesDump {
  private let part: DumpedPart
  private let reading: RecordReading

  init(_ part: DumpedPart, _ reading: RecordReading) { (self.part, self.reading) = (part, reading) }

  func write(_ stream: DumpStream) throws -> StoreDump.Outcome {
    var (stream, outcome) = (stream, StoreDump.Outcome())
    let references = JSONObjects.references(in: reading)
    for entity in part.entities {
      let objects = JSONObjects(
        try DumpedObjects(of: entity, part, in: reading) { _ in true }, part, references,
        model: reading.hierarchy, namesEntity: true)
      var count = 0
      while try objects.appendNext(to: &stream, after: "", counting: &outcome) {
        stream.text.append("\n")
        count += 1
        try stream.flushIfFull()
      }
      outcome.objects[entity.name] = count
    }
    try stream.flush()
    return outcome
  }
}
