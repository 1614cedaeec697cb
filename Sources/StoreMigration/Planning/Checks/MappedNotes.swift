import MappingModels
import PersistentStores

extension PlanningContext {
  /// What the mapping model says that its author may not have meant.
  var notes: [PlanNote] {
    let names = Set(entities.map(\.source)).sorted()
    return names.compactMap(droppedNote) + names.flatMap(doubledNotes)
  }

  /// An entity that is stated as dropped although a mapping takes all its objects; a filter leaves some to be dropped.
  private func droppedNote(_ source: String) -> PlanNote? {
    guard mapping.droppedData.contains(source),
      let carrier = entities(reading: source).first(where: { $0.mapping.filter == nil })
    else { return nil }
    return .droppedButCarried(entity: source, mapping: carrier.mapping.name)
  }

  /// Core Data, too, makes an object for every mapping that takes its source.
  private func doubledNotes(_ source: String) -> [PlanNote] {
    let readers = entities(reading: source)
    return readers.indices.flatMap { position in
      readers[(position + 1)...].compactMap { other -> PlanNote? in
        let one = readers[position]
        guard one.destinationTable.name == other.destinationTable.name,
          one.mapping.filter == nil || other.mapping.filter == nil
        else { return nil }
        return .madeTwice(entity: source, mappings: [one.mapping.name, other.mapping.name])
      }
    }
  }
}
