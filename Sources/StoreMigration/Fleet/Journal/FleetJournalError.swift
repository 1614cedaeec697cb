/// Why a journal cannot be used.
public enum FleetJournalError: Error, Hashable, Sendable {
  /// The file is something else.
  case foreign(path: String)
  /// A later version of modelctl made it.
  case newer(path: String, version: Int)
  /// Another run is using it.
  case inUse(path: String)
  /// Its content is damaged.
  case corrupt(path: String, detail: String)
  /// It cannot be made, read or written.
  case unusable(path: String, detail: String)
}

extension FleetJournalError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .foreign(let path):
      "\(path): this is no journal of modelctl, and it is left alone; name another file with --journal FILE"
    case .newer(let path, let version):
      """
      \(path): the journal has version \(version), which a later modelctl wrote; use that one, or name another file \
      with --journal FILE
      """
    case .inUse(let path):
      """
      \(path): another run is using this journal; wait for it, or share the stores out with --shard, where each part \
      has a journal of its own
      """
    case .corrupt(let path, let detail):
      """
      \(path): the journal is damaged (\(detail)); the stores do not depend on it: delete it, and every store is \
      looked at again
      """
    case .unusable(let path, let detail):
      "\(path): the journal cannot be used: \(detail); name another place with --journal FILE"
    }
  }
}
