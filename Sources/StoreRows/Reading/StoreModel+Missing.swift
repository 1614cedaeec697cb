import MigrationSQL
import ModelDescription
import PersistentStores

extension StoreModel {
  /// The table of an entity's objects.
  ///
  /// - Throws: ``RecordRequestError`` when the model has no such entity, and when the store has no table of it.
  func existingTable(ofEntity entity: String) throws(RecordRequestError) -> SQLTable {
    guard hierarchy.entity(named: entity) != nil else {
      throw .unknownEntity(entity, near: NearNames.nearest(to: entity, among: hierarchy.model.entities.map(\.name)))
    }
    guard let table = table(ofEntity: entity) else { throw .noTable(entity: entity) }
    return table
  }

  /// The address of a property that stores keep and this one has no room for; nil for any other.
  ///
  /// Of a composite attribute one element that is there is enough.
  func missing(_ property: String, of entity: String) -> PropertyAddress? {
    if let declared = hierarchy.allAttributes(of: entity)[property] {
      let leaves = declared.property.leaves
      guard !declared.property.isTransient, !leaves.isEmpty else { return nil }
      let isKept = leaves.contains { leaf in
        let path = leaf.path.joined(separator: ".")
        return place(.attribute(PropertyAddress(entity: declared.entity.name, property: path))) != nil
      }
      return isKept ? nil : PropertyAddress(entity: declared.entity.name, property: property)
    }
    guard let address = address(ofRelationship: property, in: entity),
      let relationship = relationship(address), !relationship.isTransient, linkStorage(of: address) == nil
    else { return nil }
    return address
  }
}

extension RecordReading {
  /// Checks that the store has room for a property that somebody names; a type without columns is left to validation.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - entity: the entity that has it.
  /// - Throws: ``RecordRequestError``, as for a predicate that names it.
  package func checkIsKept(_ property: String, of entity: String) throws(RecordRequestError) {
    guard let address = store.missing(property, of: entity) else { return }
    let leaves = store.hierarchy.allAttributes(of: entity)[property]?.property.leaves
    if let leaves, leaves.allSatisfy({ SQLColumn.DeclaredType($0.attribute.type) == nil }) { return }
    throw .notKept(address, named: property)
  }
}

extension RecordRequestError {
  /// What a predicate or a sort key gets that names a property for which a store has no room.
  static func notKept(_ address: PropertyAddress, named name: String) -> RecordRequestError {
    .notAskable(text: name, .expression(.compilation(.notStored(property: address.description))))
  }
}
