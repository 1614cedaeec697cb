import PersistentStores

extension StoreSnapshot.View {
  /// What a plan makes of a view, in sentences.
  ///
  /// - Parameter former: the views before.
  /// - Returns: nothing for a view that is as it was, or could not be read before either.
  func notes(since former: [Self]) -> [String] {
    guard let before = former.first(where: { $0.name == name }), before.fault == nil else { return [] }
    let view = "view \(name), which the app made itself,"
    if let fault { return ["\(view) reads what gets another name or goes, and cannot be read then: \(fault)"] }
    return before.sql == sql ? [] : ["\(view) reads what gets another name; SQLite rewrites it"]
  }
}
