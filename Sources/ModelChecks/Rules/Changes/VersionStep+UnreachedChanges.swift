import ModelComparison
import ModelDescription

extension VersionStep {
  /// The changes that reach no existing row because they make no new version of their entity.
  func unreachedChanges(
    where accepts: (Aspect) -> Bool
  ) -> [(change: Change, aspect: Aspect)] {
    let unreached = Set(
      difference.hints.compactMap { hint -> UnreachedChange? in
        guard case .doesNotReachExistingRows(let element, let aspect) = hint, accepts(aspect) else { return nil }
        return UnreachedChange(element: element, aspect: aspect)
      })
    var seen: Set<ModelElement> = []
    return difference.changes.compactMap { change in
      let aspect: Aspect
      switch change.kind {
      case .changed(let changed, _, _): aspect = changed
      case .added, .removed: aspect = .indexElements
      default: return nil
      }
      guard unreached.contains(UnreachedChange(element: change.element, aspect: aspect)) else { return nil }
      if aspect.isIndex {
        let isMigrated = change.element.entityName.map(difference.entitiesWithNewHash.contains) ?? false
        guard !isMigrated, seen.insert(change.element).inserted else { return nil }
      }
      return (change, aspect)
    }
  }
}

/// A change that a hint is about.
private struct UnreachedChange: Hashable {
  let element: ModelElement
  let aspect: Aspect
}
