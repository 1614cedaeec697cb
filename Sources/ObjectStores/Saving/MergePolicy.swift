/// What happens when somebody else saved an object since it was read, or when two objects are to be unique and are not.
///
/// The names of Core Data's policies stand beside them.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// Nothing is saved (`NSErrorMergePolicy`).
  case error
  /// Property by property, mine wins where I set one (`NSMergeByPropertyObjectTrumpMergePolicy`).
  case propertiesOfMine
  /// Property by property, the store's wins where somebody changed it (`NSMergeByPropertyStoreTrumpMergePolicy`).
  case propertiesOfStore
  /// My whole object wins, also where I changed nothing (`NSOverwriteMergePolicy`).
  case overwrite
  /// The store's object stays, mine is dropped (`NSRollbackMergePolicy`).
  case rollback
}
