import ModelDescription

extension Rule {
  static let reservedName = Rule(
    id: "reserved-name",
    severity: .error,
    purpose: "Do not use names that Core Data's objects or stores already use.",
    explanation: """
      Each property becomes a method of a managed object and a column of a table. With a name that Core Data uses \
      itself, your property hides the method, or Core Data cannot store it. Rename the property. If you released the \
      model, give the earlier name as renaming identifier.
      """
  ) { index in
    let entities = index.model.entities.filter { isReserved($0.name, among: reservedTables) }.map { entity in
      RuleFinding(
        .entity(entity.name),
        "the table of entity \(entity.name) would be Core Data's own table Z\(entity.name.uppercased())",
        fix: "rename the entity and give it the renaming identifier “\(entity.name)”",
        edits: [["rename", entity.name, "NAME"]])
    }
    let properties = index.model.entities.flatMap { entity in
      entity.propertyNames.compactMap { name -> RuleFinding? in
        let message: String
        if reservedKeys.contains(name) {
          message = "property \(entity.name).\(name) has the name of a method of NSManagedObject"
        } else if isReserved(name, among: reservedColumns) {
          message = "the column of \(entity.name).\(name) would be Core Data's own column Z\(name.uppercased())"
        } else {
          return nil
        }
        let element = ModelElement.property(entity: entity.name, name: name)
        return RuleFinding(
          element, message, fix: "rename the property and give it the renaming identifier “\(name)”",
          edits: [["rename", "\(element)", "NAME"]])
      }
    }
    return entities + properties
  }

  /// True for a name whose table or column would be Core Data's own; all these names begin with `Z_`.
  private static func isReserved(_ name: String, among names: Set<String>) -> Bool {
    name.utf8.first == UInt8(ascii: "_") && names.contains("Z\(name)".uppercased())
  }

  /// Methods without arguments of NSManagedObject and NSObject, as Apple's documentation lists them.
  private static let reservedKeys: Set<String> = [
    "autorelease", "changedValues", "changedValuesForCurrentEvent", "class", "copy", "dealloc", "debugDescription",
    "description", "entity", "faultingState", "hasChanges", "hasPersistentChangedValues", "hash", "init",
    "isDeleted", "isFault", "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID",
    "observationInfo", "release", "retain", "retainCount", "self", "superclass", "zone",
  ]

  /// The columns that every table of a store has.
  private static let reservedColumns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  private static let reservedTables: Set<String> = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
}
