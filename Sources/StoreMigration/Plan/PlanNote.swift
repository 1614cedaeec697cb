public import MappingModels
public import PersistentStores

/// What a reader of a plan should know and its steps do not say.
public enum PlanNote: Hashable, Sendable {
  /// Why not every version between is passed, nil for a way that passes some of them.
  case versionsPassedOver(MigrationRoute.Detour)
  /// What the new objects must meet could not be tried out beforehand.
  case objectsUntried
  /// The store's large values are in files that are not beside it.
  case folderMissing(MissingSupportFolder)
  /// Indexes that did not have the entries of their tables' rows are made anew.
  case indexesRebuilt([String])
  /// Links that lead to rows which are not there are left out.
  case linksToNothing(DanglingLinks)
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
  /// - Parameter views: the views before.
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
  /// The note as one sentence.
  public var description: String {
    switch self {
    case .versionsPassedOver(let detour): detour.description
    case .objectsUntried: "what the new objects must meet is asked when they are there; migrate --dry-run asks it too"
    case .folderMissing(let folder): folder.description
    case .indexesRebuilt(let names):
      names.count == 1
        ? "the index \(names[0]) did not have the entries of its table's rows, and is made anew from them"
        : "the indexes \(names.joined(separator: ", ")) did not have the entries of their tables' rows, and are made anew "
          + "from them"
    case .linksToNothing(let links): links.description
    case .layout(let warning): warning.sentence
    case .impliedLoss(let loss, let count): "\(loss.kind.amount(count)) \(count == 1 ? "goes" : "go"): \(loss.sentence)"
    case .derivedLater(let address): "\(address) is computed when Core Data next saves its objects"

    case .indexGoes(let name, withTable: false): "index \(name), which the app made itself, goes with its columns"
    case .indexGoes(let name, withTable: true):
      "index \(name), which the app made itself, goes with its table or columns"
    case .triggerGoes(let name): "trigger \(name), which the app made itself, goes with its table"
    case .columnGoes(let name, let table): "column \(name) of \(table), which is not the model's, goes with its rows"
    case .viewUnreadable(let name, let error):
      "view \(name), which the app made itself, cannot be read (\(error)) and stays word for word"
    case .viewBreaks(let name, let error):
      """
      view \(name), which the app made itself, reads what gets another name or goes, and cannot be read then: \(error)
      """
    case .viewRewritten(let name):
      "view \(name), which the app made itself, reads what gets another name; SQLite rewrites it"
    case .viewsUntried(let error): "what becomes of the views that the app made itself could not be tried: \(error)"

    case .droppedButCarried(let entity, let mapping):
      "\(entity) is stated as dropped, but \(mapping) carries its objects"
    case .madeTwice(let entity, let mappings):
      "objects of \(entity) that both \(mappings.joined(separator: " and ")) take are made twice"
    case .leftToPolicy(let mapping, let relationship, let selector):
      "\(mapping) leaves \(relationship) empty, which the policy's \(selector) fills"
    case .emptyLookup(let mapping, let relationship, let other, let mapped, let found):
      """
      \(mapping): \(relationship) finds nothing, because the mapping \(other) makes its objects of \(mapped), \
      not of \(found)
      """
    }
  }
}
