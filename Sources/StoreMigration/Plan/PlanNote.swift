public import MappingModels
public import PersistentStores

/// A remark about a plan that its steps do not show.
public enum PlanNote: Hashable, Sendable {
  /// The reason why a migration path skips versions.
  case versionsPassedOver(MigrationPath.Detour)
  /// The requirements of new objects could not be checked before the migration.
  case objectsUntried
  /// The store's large values are in files that are missing.
  case folderMissing(MissingSupportFolder)
  /// CloudKit mirrors the store.
  case mirrored
  /// Indexes that lacked entries for rows of their tables are rebuilt.
  case indexesRebuilt([String])
  /// Links to rows that do not exist are left out.
  case linksToNothing(DanglingLinks)
  /// A name or form in the new tables that modelctl had to guess.
  case layout(LayoutWarning)
  /// The amount of a loss that an option causes.
  case impliedLoss(DataLoss, count: Int)
  case derivedLater(PropertyAddress)

  // Objects that the app created
  case indexGoes(String, withTable: Bool)
  case triggerGoes(String)
  case columnGoes(String, table: String)
  case viewUnreadable(String, error: String)
  case viewBreaks(String, error: String)
  case viewRewritten(String)
  case viewsUntried(CaughtError)

  // Parts of a custom mapping that its author may not have meant
  case droppedButCarried(entity: String, mapping: String)
  case madeTwice(entity: String, mappings: [String])
  case leftToPolicy(mapping: String, relationship: String, selector: String)
  case emptyLookup(mapping: String, relationship: String, other: String, mapped: String, found: String)
}

extension PlanNote {
  /// Compares a view that the app created with its state before the plan; nil if it is unchanged or was unreadable.
  ///
  /// - Parameter views: the views before the plan.
  init?(_ view: StoreSnapshot.View, since views: [StoreSnapshot.View]) {
    guard let before = views.first(where: { $0.name == view.name }), before.error == nil else { return nil }
    if let error = view.error {
      self = .viewBreaks(view.name, error: error)
    } else if before.sql != view.sql {
      self = .viewRewritten(view.name)
    } else {
      return nil
    }
  }
}

extension PlanNote: CustomStringConvertible {
  /// The note as a sentence, without its full stop.
  public var description: String {
    switch self {
    case .versionsPassedOver(let detour): detour.description
    case .objectsUntried:
      "modelctl checks the requirements of the new objects when they exist, in a migration or a dry run"
    case .folderMissing(let folder): folder.description
    case .mirrored: StoreReader.mirroringNote
    case .indexesRebuilt(let names):
      names.count == 1
        ? "the index \(names[0]) lacks entries for rows of its table, and is rebuilt from the rows"
        : "the indexes \(names.joined(separator: ", ")) lack entries for rows of their tables, and are rebuilt from the rows"
    case .linksToNothing(let links): links.description
    case .layout(let warning): warning.sentence
    case .impliedLoss(let loss, let count):
      "\(loss.kind.amount(count)) \(count == 1 ? "is" : "are") lost: \(loss.sentence)"
    case .derivedLater(let address): "Core Data computes \(address) when it next saves the objects"

    case .indexGoes(let name, withTable: false): "index \(name), which the app created, is removed with its columns"
    case .indexGoes(let name, withTable: true):
      "index \(name), which the app created, is removed with its table or columns"
    case .triggerGoes(let name): "trigger \(name), which the app created, is removed with its table"
    case .columnGoes(let name, let table):
      "column \(name) of \(table), which is not part of the model, is removed with its rows"
    case .viewUnreadable(let name, let error):
      "view \(name), which the app created, cannot be read (\(error)) and is kept unchanged"
    case .viewBreaks(let name, let error):
      """
      view \(name), which the app created, uses a name that changes or is removed, and can then not be read: \(error)
      """
    case .viewRewritten(let name):
      "view \(name), which the app created, uses a name that changes; SQLite rewrites the view"
    case .viewsUntried(let error): "modelctl could not try out the effect on views that the app created: \(error)"

    case .droppedButCarried(let entity, let mapping):
      "\(entity) is listed as dropped, but \(mapping) copies its objects"
    case .madeTwice(let entity, let mappings):
      "objects of \(entity) that match both \(mappings.joined(separator: " and ")) are created twice"
    case .leftToPolicy(let mapping, let relationship, let selector):
      "\(mapping) leaves \(relationship) empty, which the policy's \(selector) fills"
    case .emptyLookup(let mapping, let relationship, let other, let mapped, let found):
      """
      \(mapping): \(relationship) finds nothing, because the mapping \(other) creates its objects from \(mapped), \
      not from \(found)
      """
    }
  }
}
