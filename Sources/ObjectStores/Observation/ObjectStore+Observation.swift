public import StoreRows

extension ObjectStore {
  /// The committed saves of this `ObjectStore`.
  ///
  /// Saves of other processes are in the persistent history, if the store has one: ``StoreReading/history(_:)``.
  public var saves: AsyncStream<StoreSave> {
    AsyncStream { continuation in
      let number = news.begin { item in if case .save(let save) = item { continuation.yield(save) } }
      continuation.onTermination = { [news] _ in news.end(number) }
    }
  }

  /// Returns the objects of a request, immediately and after each save by any process that changed them.
  ///
  /// A save of another process is detected within half a second. A slow consumer gets only the newest objects.
  ///
  /// - Parameter request: the request.
  /// - Returns: the objects. The sequence ends with an error if they cannot be read; leave the loop to end it.
  public func observe(_ request: RecordRequest) -> AsyncThrowingStream<[ObjectRecord], any Error> {
    observe(RequestInterest(request, in: hierarchy)) { try $0.fetch(request) }
  }

  /// Returns the result of a closure, immediately and after each relevant save that changed it.
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

  /// Returns the saves in the store's persistent history, oldest first, of every program that writes history.
  ///
  /// - Returns: the saves; empty if the store lacks history.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    try read { try $0.history(request) }
  }

  /// Returns the saves in the store's persistent history after another save, oldest first.
  ///
  /// - Parameter number: the number of the last known save.
  /// - Returns: the saves; empty if the store lacks history.
  public func history(after number: Int64) throws -> [HistoryTransaction] {
    var request = HistoryRequest()
    request.after = number
    return try history(request)
  }
}
