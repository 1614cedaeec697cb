import ModelKit

extension MigrationBlocked {
  /// The same, naming the bundles to migrate with together where an entity that goes is in another bundle too, so that
  /// nobody is led to give up rows that only moved.
  ///
  /// - Parameter target: the versions and the one to reach.
  /// - Returns: what stands in the way.
  func namingOtherBundles(for target: MigrationTarget) -> MigrationBlocked {
    guard target.destination.parts.isEmpty else { return self }
    var blocked = self
    for position in blocked.losses.indices where blocked.losses[position].loss.loss.kind == .entityRemoved {
      let own = target.destination.bundle
      let entity = blocked.losses[position].loss.loss.element
      guard let other = ThisProject.entityHolders?.bundle(declaring: entity, besides: own) else { continue }
      blocked.losses[position].mergedBundles = [own, other].map { RelativePath.text($0) }
    }
    return blocked
  }
}
