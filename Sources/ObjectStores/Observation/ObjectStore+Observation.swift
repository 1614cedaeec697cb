public import StoreRows

extension ObjectStore {
  /// The saves of this `ObjectStore`, each after it was committed.
  ///
  /// What other programs saved is in the persistent history, where the store keeps one: ``StoreReading/history(_:)``.
  public var saves: AsyncStream<StoreSave> {
    AsyncStream { continuation in
      let number = news.begin { item in if case .save(let save) = item { continuation.yield(save) } }
      continuation.onTermination = { [news] _ in news.end(number) }
    }
  }

  /// The objects that a request asks for: at once, and again after each save that changed them, whoever saved.
  ///
  /// A save of another process is seen within half a second. Who takes the objects slowly gets the newest ones.
  ///
  /// - Parameter request: what is asked for.
  /// - Returns: the objects, which end with the error that keeps them from being read; end it by leaving the loop.
  public func observe(_ request: RecordRequest) -> AsyncThrowingStream<[ObjectRecord], any Error> {
    observe(RequestInterest(request, in: hierarchy)) { try $0.fetch(request) }
  }

  /// What a closure reads: at once, and again after each save of interest that made it another.
  func observe<Value: Equatable & Sendable>(
    _ interest: RequestInterest, _ body: @escaping @Sendable (StoreReading) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let number = news.begin { if interest.covers($0) { signal.yield() } }
      signal.yield()
      let task = Task {
        defer { self.news.end(number) }
        var last: Value?
        do {
          for await _ in signals {
            let value = try await self.read(body)
            if value != last { continuation.yield(value) }
            last = value
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        task.cancel()
        signal.finish()
      }
    }
  }

  /// The saves in the store's persistent history, oldest first: who changed which properties of which objects, of every
  /// program that writes history.
  ///
  /// - Returns: the saves; none where the store keeps no history.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    try read { try $0.history(request) }
  }

  /// The saves in the store's persistent history that came after another one, oldest first.
  ///
  /// - Parameter number: the number of the last save that is known.
  /// - Returns: the saves; none where the store keeps no history.
  public func history(after number: Int64) throws -> [HistoryTransaction] {
    var request = HistoryRequest()
    request.after = number
    return try history(request)
  }
}
