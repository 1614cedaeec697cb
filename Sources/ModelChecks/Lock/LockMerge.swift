import Foundation
import ModelDescription
import ModelFiles

/// The merge of two edits of a lock file, version by version.
public struct LockMerge: Sendable {
  /// The file with both edits, and our edit of each conflicting version.
  public let merged: LockFile
  /// The file with both edits, and their edit of each conflicting version.
  public let alternative: LockFile
  /// The versions that both sides recorded differently, in their natural order.
  public let conflicts: [String]

  /// Reads and merges three states of a file; nothing is written.
  ///
  /// - Parameters:
  ///   - base: the common ancestor; an empty file if both sides added it.
  ///   - ours: the file of our side.
  ///   - theirs: the file of the other side.
  ///   - name: the name of the file in messages (default: the three paths).
  /// - Throws: `JSONFileError`, `ModelFileError`, and ``LockError/rewritten(location:)`` if entries were removed by
  ///   hand.
  public static func read(baseAt base: String, oursAt ours: String, theirsAt theirs: String, name: String?) throws
    -> LockMerge
  {
    let isAddedByBoth = try FileManager.default.attributesOfItem(atPath: base)[.size] as? Int == 0
    func side(_ path: String, _ shown: String?) throws -> LockFile {
      let shown = shown ?? path
      let lock = try LockFile(JSONReader.read(Array(FileBytes.read(path)), file: shown), path: shown)
      if !lock.isIntact, let place = lock.digest?.location { throw LockError.rewritten(location: place) }
      return lock
    }
    return LockMerge(
      base: isAddedByBoth ? nil : try side(base, name.map { "\($0), base" }), ours: try side(ours, name),
      theirs: try side(theirs, name.map { "\($0), theirs" }))
  }

  init(base: LockFile?, ours: LockFile, theirs: LockFile) {
    var (merged, alternative) = (ours, ours)
    var conflicts: [String] = []
    for name in VersionOrder.sorted(Set(ours.entries.keys).union(theirs.entries.keys)) {
      let (own, other) = (ours.entries[name], theirs.entries[name])
      let old = base?.entries[name]?.unplaced
      let entry: LockFile.Entry?
      if own?.unplaced == old {
        entry = other
      } else if other?.unplaced == old {
        entry = own
      } else if let own, let other {
        let both = own.merged(with: other, since: old)
        if both == nil { conflicts.append(name) }
        (merged.entries[name], alternative.entries[name]) = (both ?? own, both ?? other)
        continue
      } else {
        // An entry that one side removed and the other side changed is kept.
        entry = own ?? other
      }
      (merged.entries[name], alternative.entries[name]) = (entry, entry)
    }
    (self.merged, self.alternative, self.conflicts) = (merged, alternative, conflicts)
  }
}

extension LockFile.Entry {
  /// The entry without its location and the version it refers to.
  fileprivate var unplaced: LockFile.Entry {
    var entry = self
    (entry.location, entry.sameAs) = (nil, nil)
    return entry
  }

  /// Both edits of an entry; nil if their hashes or the digests of a mapping model differ.
  fileprivate func merged(with other: LockFile.Entry, since old: LockFile.Entry?) -> LockFile.Entry? {
    let theirs = other
    var own = self
    if own.unplaced == theirs.unplaced { return own }
    guard own.hashes == theirs.hashes else { return nil }
    // A retirement is kept, whatever the other side recorded; of two retirements, the earlier one.
    let retirement = [own.retirement, theirs.retirement].compactMap { $0 }.min { $0.date < $1.date }
    let isReleased = own.state == .released || theirs.state == .released
    own.state = retirement != nil ? .retired : isReleased ? .released : .draft
    own.retirement = retirement
    own.allowedLosses = own.allowedLosses.merged(theirs.allowedLosses, since: old?.allowedLosses)
    own.mayBlock = own.mayBlock.merged(theirs.mayBlock, since: old?.mayBlock)
    own.joinNames = own.joinNames.merged(theirs.joinNames, since: old?.joinNames)
    own.replacedMappings = own.replacedMappings.merged(theirs.replacedMappings, since: old?.replacedMappings)
    own.replaces = own.replaces == old?.replaces ? theirs.replaces : own.replaces
    own.predecessor = own.predecessor == old?.predecessor ? theirs.predecessor : own.predecessor
    for (source, files) in theirs.mappings {
      for (place, digest) in files {
        let known = own.mappings[source]?[place]
        guard known == nil || known == digest || known == old?.mappings[source]?[place] else { return nil }
        own.mappings[source, default: [:]][place] = digest
      }
    }
    return own
  }
}

extension Set {
  /// The edits of both sides of a set.
  fileprivate func merged(_ other: Set, since old: Set?) -> Set {
    let old = old ?? []
    return union(other).filter { contains($0) && other.contains($0) || !old.contains($0) }
  }
}
