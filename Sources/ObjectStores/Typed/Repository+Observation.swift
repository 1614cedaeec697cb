public import StoreRows

extension Repository {
  /// The objects that a request asks for: at once, and again after each save that changed them, whoever saved.
  ///
  /// - Parameter request: what is asked for.
  /// - Returns: the objects, which end with the error that keeps them from being read; end it by leaving the loop.
  public func observe(
    _ request: FetchRequest<Object> = FetchRequest()
  ) -> AsyncThrowingStream<[Object], any Error> { store.observe(request) }

  /// The objects for which a predicate holds: at once, and again after each save that changed them, whoever saved.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, and a text with the key path of each `%K`.
  ///   - sort: what the objects are sorted by, the key coming last.
  ///   - limit: how many objects are given at most; nil for all.
  /// - Returns: the objects, which end with the mistake of a predicate that is none.
  public func observe(
    where text: String?, _ arguments: any PredicateArgument..., sort: [ObjectSort<Object>] = [], limit: Int? = nil
  ) -> AsyncThrowingStream<[Object], any Error> {
    do {
      var request = try FetchRequest<Object>(where: text, arguments: arguments)
      (request.sort, request.limit) = (sort, limit)
      return observe(request)
    } catch {
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
  }

  /// The objects for which a condition on their properties holds: at once, and again after each save that changed them,
  /// whoever saved.
  ///
  /// - Returns: the objects, which end as those of `observe(_:)` of a request.
  public func observe(
    sort: [ObjectSort<Object>] = [], limit: Int? = nil, where condition: (Object.Properties) -> ObjectCondition
  ) -> AsyncThrowingStream<[Object], any Error> {
    var request = FetchRequest<Object>(where: condition)
    (request.sort, request.limit) = (sort, limit)
    return observe(request)
  }
}
