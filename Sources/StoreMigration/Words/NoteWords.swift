import MappingModels
import PersistentStores

extension PlanNote: CustomStringConvertible {
  /// The note as one sentence.
  public var description: String {
    switch self {
    case .versionsPassedOver(let detour): detour.description
    case .objectsUntried:
      "what the new objects must meet is asked when they are there; migrate --dry-run asks it too"
    case .layout(let warning): warning.description
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
