public import StoreRows

/// The objects as they were before a save: a store's rows, or values in memory.
public protocol SavedObjects {
  /// The objects of these identifiers, with all attributes and to-one relationships; one that is not there is left out.
  ///
  /// - Parameters:
  ///   - root: the entity without superentity that they are below.
  ///   - keys: their keys.
  /// - Returns: those that are there.
  /// - Throws: what keeps them from being read.
  func records(of root: String, keys: [Int64]) throws -> [ObjectRecord]

  /// The objects of a to-many relationship for each of several objects, in their order.
  func placedLinks(along relationship: String, of entity: String, from keys: [Int64]) throws -> [Int64: [PlacedLink]]

  /// The objects that have some others in a relationship, by the keys of the others.
  func owners(along relationship: String, of entity: String, having keys: [Int64]) throws -> [Int64: [RecordID]]

  /// The keys of objects that have some values in some properties.
  ///
  /// - Parameters:
  ///   - entity: the entity whose objects, and those below it, are asked.
  ///   - properties: attributes and to-one relationships.
  ///   - tuples: the values, none of them missing.
  /// - Returns: the objects of each tuple that has any.
  /// - Throws: what keeps them from being read.
  func objects(
    of entity: String, with properties: [String], in tuples: [[RecordValue]]
  ) throws -> [[RecordValue]: [RecordID]]
}

extension RecordReading: SavedObjects {}
