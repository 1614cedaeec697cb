import Foundation
public import ModelDescription
public import ModelFiles
import StoreMigration

/// The reason why a version is not recorded.
public enum LockError: Error, Hashable, Sendable {
  /// The reason why a version cannot be recorded as it is.
  public enum Unusable: Hashable, Sendable {
    /// Its entities form no hierarchy.
    case structure(ModelStructureError)
    /// Its name contains control characters.
    case controlCharacters
    /// Another process wrote it while it was read.
    case changedMeanwhile
  }

  /// It is released with other hashes.
  case differs(place: String, version: String, path: String, edits: [String])
  /// It is released, and was to become a draft.
  case released(place: String, version: String, path: String)
  /// A migration to it loses data, and the loss is not recorded as allowed; `names` allow all losses.
  ///
  /// If another bundle of the project has the removed entity, `moved` names both, and the advice does not allow the loss.
  /// If one mapping model makes all losses, `mapping` is its path.
  case losesData(
    version: String, path: String, losses: [String], names: [String], overwrites: Bool, moved: MovedEntity?,
    mapping: String?)
  /// The list of released versions is not as modelctl wrote it.
  case rewritten(location: SourceLocation)
  /// It is retired, and was to be recorded like a supported version.
  case retired(place: String, version: String, path: String, LockFile.Retirement)
  /// Its file is deleted, and a different version was to get its name.
  case nameTaken(place: String, version: String, path: String)
  /// The lock file does not have the version.
  case notRecorded(name: String, lock: String, candidates: [String])
  /// A range of versions begins after its end.
  case backwards(first: String, last: String, lock: String)
  /// The version to which stores are migrated was to be retired.
  case retiresCurrent(version: String, bundle: String)
  /// A draft was to be retired.
  case retiresDraft(version: String, lock: String)
  /// A mapping model is recorded with different bytes.
  case mappingDiffers(path: String, version: String)
  /// A file is not a mapping model to a released version.
  case noMapping(path: String)
  /// The bundle does not have the version.
  case unknownVersion(name: String, bundle: String, candidates: [String])
  /// The bundle does not name a current version.
  case noCurrentVersion(bundle: String)
  /// The version cannot be recorded as it is.
  case unusable(version: String, Unusable)
  /// The names of the allowed losses are in neither of the two versions.
  case unknownLosses([String], version: String, candidates: [String])
  /// The bundle was moved without its lock file.
  case leftBehind(lock: String, bundle: String)
  /// The bundle is compiled, so it does not have a lock file.
  case compiled(bundle: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// The volume is full.
  case noSpace(path: String)
  /// Another process recorded the version differently at the same time.
  case changedMeanwhile(path: String, version: String)

  /// Takes an error of writing a file.
  public init(_ error: any Error, writing path: String) {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let isFull = [error, underlying].compactMap { $0 }.contains { error in
      (error as? CocoaError)?.code == .fileWriteOutOfSpace || [.ENOSPC, .EDQUOT].contains((error as? POSIXError)?.code)
    }
    self = isFull ? .noSpace(path: path) : .unwritable(path: path, reason: CommonWords.cause(of: error))
  }
}

extension LockError: AdvisedError {
  /// The location in the lock file, or the path of the version, the bundle or the file; nil if the cause names it.
  public var place: String? {
    switch self {
    case .differs(let place, _, _, _), .released(let place, _, _), .retired(let place, _, _, _),
      .nameTaken(let place, _, _):
      place
    case .rewritten(let location): "\(location)"
    case .losesData(_, let path, _, _, _, _, _), .mappingDiffers(let path, _), .noMapping(let path),
      .unwritable(let path, _), .noSpace(let path), .changedMeanwhile(let path, _):
      path
    case .backwards(_, _, let lock), .retiresDraft(_, let lock), .leftBehind(let lock, _): lock
    case .retiresCurrent(_, let bundle), .noCurrentVersion(let bundle), .compiled(let bundle): bundle
    case .unusable(let version, _): version
    case .notRecorded, .unknownVersion, .unknownLosses: nil
    }
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .differs(_, let version, _, let edits):
      "\(version) is released and was edited: \(edits.joined(separator: "; "))"
    case .released(_, let version, _): "\(version) is released"
    case .losesData(let version, _, let losses, _, _, _, _):
      "a migration to \(version) loses data of users: \(losses.joined(separator: "; "))"
    case .rewritten:
      "the list of released versions is not as modelctl wrote it: an entry was added or removed by hand, or merged badly"
    case .retired(_, let version, _, let retirement):
      "\(version) is retired since \(retirement.date) (\(retirement.reason))"
    case .nameTaken(_, let version, _):
      "\(version) is recorded with its hashes, and no other version can have its name"
    case .notRecorded(let name, let lock, let candidates):
      CommonWords.unknown("version", name, in: lock, near: candidates)
    case .backwards(let first, let last, _): "\(last) is older than \(first)"
    case .retiresCurrent(let version, _): "\(version) is the current version, and stores are migrated to it"
    case .retiresDraft(let version, _): "\(version) is a draft, so users do not have stores of it"
    case .mappingDiffers: "the mapping model is recorded with different bytes"
    case .noMapping: "this is not a mapping model to a released version of a bundle here"
    case .unknownVersion(let name, let bundle, let candidates):
      CommonWords.unknown("version", name, in: bundle, near: [])
        + (candidates.isEmpty ? "" : "; \(NearNames.advice(for: name, candidates))")
    case .noCurrentVersion: "the bundle does not name its current version"
    case .unusable(_, .structure(let error)): "\(error)"
    case .unusable(_, .controlCharacters): "the name contains control characters"
    case .unusable(_, .changedMeanwhile): "the version changed while it was read"
    case .unknownLosses(let names, let version, let candidates):
      "\(version) and the version before it do not have \(NameList.text(names.map { "“\($0)”" }))"
        + NearNames.clause(candidates)
    case .leftBehind(_, let bundle): "the lock file belongs to \(bundle), which was moved without it"
    case .compiled: "the bundle is compiled"
    case .unwritable(_, let reason): "cannot be written: \(reason)"
    case .noSpace: "cannot be written: the volume is full"
    case .changedMeanwhile(_, let version): "another process recorded \(version) differently at the same time"
    }
  }

  /// The next step.
  public var advice: Advice? {
    switch self {
    case .differs(_, _, let path, _):
      "restore it; or, if users do not have stores of it, record it again: \(run: Self.relocking(path))"
    case .released(_, _, let path):
      """
      if users do not have stores of it, make it a draft again: \
      \(run: "modelctl", "lock", "--draft", "--relock", ShellWord.argument(path))
      """
    case .losesData(_, _, _, _, _, let moved?, _): moved.advice
    case .losesData(_, let path, _, let names, let overwrites, nil, let mapping):
      """
      keep the data \(mapping.map { "in \($0)" } ?? "with a renaming identifier or a mapping model"); or, if you intend \
      this, \(LossConsent(names).advice(for: Self.locking(path, overwrites: overwrites)))
      """
    case .rewritten(let location):
      "restore it before you record anything; to see its history: \(command: GitAdvice.history(of: location.file))"
    case .retired(_, _, let path, _): "to support its stores again, record it: \(run: Self.relocking(path))"
    case .nameTaken(_, _, let path):
      "rename the new version; to find the deleted version: \(command: GitAdvice.history(of: path))"
    case .notRecorded(_, _, let candidates):
      candidates.isEmpty ? "list the versions: \(run: "modelctl", "log")" : nil
    case .backwards(let first, let last, _): "write the range as \(last)..\(first)"
    case .retiresCurrent: "retire older versions only"
    case .retiresDraft: "delete it together with its entry"
    case .mappingDiffers(_, let version):
      "restore it; or, if you intend the edit, record it: \(run: Self.relocking(version))"
    case .noMapping(let path):
      "show its versions: \(run: "modelctl", "mapping", "show", ShellWord.argument(path))"
    case .noCurrentVersion: "name the version to record, as an argument"
    case .unusable(_, .structure): "correct the model before you record it"
    case .unusable(_, .controlCharacters): "rename the folder"
    case .unusable(_, .changedMeanwhile): "run the command again"
    case .unknownLosses(_, _, let candidates):
      candidates.isEmpty ? "write each name as Entity or Entity.property" : nil
    case .leftBehind(let lock, let bundle):
      """
      move it to the bundle first: \
      \(run: "git", "mv", ShellWord.argument(lock), ShellWord.argument(LockFile.path(besideBundleAt: bundle)))
      """
    case .compiled: "record the bundle that it was made from"
    case .unwritable: "check the permissions of the folder, and try again"
    case .noSpace: "free some space; to see how much there is: \(run: "df", "-h")"
    case .changedMeanwhile: "check the entry, and record the version again"
    case .unknownVersion: nil
    }
  }

  private static func relocking(_ path: String) -> [String] { locking(path, overwrites: true) }

  private static func locking(_ path: String, overwrites: Bool) -> [String] {
    ["modelctl", "lock"] + (overwrites ? ["--relock"] : []) + [ShellWord.argument(path)]
  }
}
