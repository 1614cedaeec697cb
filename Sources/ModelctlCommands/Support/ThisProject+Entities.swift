import ModelKit

extension ThisProject {
  /// The bundles by the entities of their current versions; read once, when a refusal first asks for them.
  static let entityHolders = (try? search()).map { EntityHolders.read(in: $0) }
}
