import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// Finds the to-one relationships of a store with links that lead to nothing, and looks through each column once.
final class LinkSearch {
  private struct Place: Hashable {
    let table: String
    let column: String
    let destination: String
  }

  private var found: [Place: LinkTargets?] = [:]

  /// Looks for links that lead to nothing.
  ///
  /// - Parameters:
  ///   - relationship: the relationship's name.
  ///   - destination: its destination.
  ///   - entity: the entity that has it, or inherits it.
  ///   - reading: reads the store.
  /// - Returns: what the links may lead to; nil where all of them lead to objects.
  /// - Throws: `DatabaseError`.
  func targets(
    of relationship: String, to destination: String, from entity: String, in reading: RecordReading
  ) throws -> LinkTargets? {
    let address = PropertyAddress(entity: entity, property: relationship)
    let storage = reading.store.layout.storage(ofRelationship: address, in: reading.hierarchy)
    guard case .toOne(let table, let column, let number, _)? = storage else { return nil }
    let place = Place(table: table, column: column, destination: destination)
    if let known = found[place] { return known }
    let targets = try LinkTargets(of: column, numberedBy: number, in: table, to: destination, reading)
    found.updateValue(targets, forKey: place)
    return targets
  }
}
