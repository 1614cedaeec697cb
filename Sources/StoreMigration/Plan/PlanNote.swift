public import MappingModels
public import PersistentStores

/// What a reader of a plan should know and its steps do not say.
public enum PlanNote: Hashable, Sendable {
  /// Why not every version between is passed, nil for a way that passes some of them.
  case versionsPassedOver(MigrationRoute.Detour)
  /// What the new objects must meet could not be tried out beforehand.
  case objectsUntried
  /// What rests on a decision of this program in the new tables.
  case layout(LayoutWarning)
  /// How much of a loss there is that an option brings with it.
  case impliedLoss(DataLoss, count: Int)
  case derivedLater(PropertyAddress)

  // What the app made
  case indexGoes(String, withTable: Bool)
  case triggerGoes(String)
  case columnGoes(String, table: String)
  case viewUnreadable(String, error: String)
  case viewBreaks(String, error: String)
  case viewRewritten(String)
  case viewsUntried(CaughtError)

  // What a written mapping says that its author may not have meant
  case droppedButCarried(entity: String, mapping: String)
  case madeTwice(entity: String, mappings: [String])
  case leftToPolicy(mapping: String, relationship: String, selector: String)
  case emptyLookup(mapping: String, relationship: String, other: String, mapped: String, found: String)
}

extension PlanNote {
  /// What a plan makes of a view that the app made; nil for one that is as it was, or could not be read before either.
  ///
  /// - Parameters:
  ///   - view: the view as the plan leaves it.
  ///   - views: the views before.
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
