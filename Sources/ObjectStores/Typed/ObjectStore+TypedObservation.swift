extension ObjectStore {
  /// The objects of a type that a request asks for: at once, and again after each save that changed them, whoever saved.
  ///
  /// ```swift
  /// for try await orders in store.observe(FetchRequest<Order> { $0.isPaid == false }) { print(orders.count) }
  /// ```
  ///
  /// A save of another process is seen within half a second. Who takes the objects slowly gets the newest ones.
  ///
  /// - Parameter request: what is asked for.
  /// - Returns: the objects, which end with the error that keeps them from being read; end it by leaving the loop.
  public func observe<Object: StoredObject>(
    _ request: FetchRequest<Object>
  ) -> AsyncThrowingStream<[Object], any Error> {
    do {
      let interest = RequestInterest(try request.checked(identity), in: hierarchy)
      return observe(interest) { try $0.fetch(request) }
    } catch {
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
  }
}
