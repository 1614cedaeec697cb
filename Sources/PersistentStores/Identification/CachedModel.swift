public import ModelDescription

/// The model that a store keeps of itself in `Z_MODELCACHE`, before it is known whether it is the right one.
public enum CachedModel: Hashable, Sendable {
  case absent
  case model(ManagedObjectModel)
  case unreadable(reason: String)
}
