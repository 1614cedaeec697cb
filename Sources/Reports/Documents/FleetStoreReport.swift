import PersistentStores
public import StoreFleets
import StoreMigration

/// What came of one of many stores: one of the JSON lines that `migrate` prints about them.
public struct FleetStoreReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// Tells this line from the summary.
  public let kind = "store"
  /// What came of it, as of a single store.
  public let store: MigrationReport.Store
  /// The store's identity; nil when it failed.
  public let uuid: String?
  /// How long it took; nil when it could not even be looked at.
  public let seconds: Double?
  /// Which attempt it was, from 1.
  public let attempt: Int

  private enum CodingKeys: CodingKey {
    case version, kind, uuid, seconds, attempt
  }

  /// Takes what came of a store; nil for one that was passed over or interrupted.
  public init?(_ result: FleetResult) {
    switch result.ending {
    case .finished(let outcome):
      store = MigrationReport.Store(outcome, entities: [])
      uuid = outcome.uuid
    case .failed(let error):
      store = MigrationReport.Store(path: result.store.path, error: error)
      uuid = nil
    case .passedOver, .interrupted: return nil
    }
    seconds = (result.seconds * 1e6).rounded() / 1e6
    attempt = result.store.attempt
  }

  /// Takes what could not be looked at.
  public init(path: String, error: any Error) {
    store = MigrationReport.Store(path: path, error: error)
    (uuid, seconds, attempt) = (nil, nil, 1)
  }

  /// Writes every key, those without a value as null.
  public func encode(to encoder: any Encoder) throws {
    try store.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(kind, forKey: .kind)
    try container.encode(uuid, forKey: .uuid)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(attempt, forKey: .attempt)
  }
}
