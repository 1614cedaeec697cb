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

  /// True for a property that was optional and is not any more, of which rows without a value get the default.
  func becomesRequired(_ element: ModelElement) -> Bool {
    difference.changes.contains { change in
      guard change.element == element, case .changed(.optional, _, let value) = change.kind else { return false }
      return value != .flag(true)
    }
  }
}

/// A change that a hint is about.
private struct UnreachedChange: Hashable {
  let element: ModelElement
  let aspect: Aspect
}
