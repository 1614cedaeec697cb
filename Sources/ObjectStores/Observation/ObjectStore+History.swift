public import StoreRows

extension ObjectStore {
  /// The saves in the store's persistent history, oldest first: who changed which properties of which objects, of every
  /// program that writes history.
  ///
  /// - Parameter request: which saves.
  /// - Returns: the saves; none where the store keeps no history.
  /// - Throws: as `read(_:)`, `RecordRequestError`, `RecordValueError`.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    try read { try $0.history(request) }
  }

  /// The saves in the store's persistent history that came after another one, oldest first.
  ///
  /// - Parameter number: the number of the last save that is known.
  /// - Returns: the saves; none where the store keeps no history.
  /// - Throws: as ``history(_:)``.
  public func history(after number: Int64) throws -> [HistoryTransaction] {
    var request = HistoryRequest()
    request.after = number
    return try history(request)
  }
}
