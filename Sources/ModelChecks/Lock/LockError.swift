import Foundation
public import ModelDescription
public import ModelFiles
import StoreMigration

/// Why a version is not recorded.
public enum LockError: Error, Hashable, Sendable {
  /// Why a version cannot be recorded as it is.
  public enum Unusable: Hashable, Sendable {
    /// Its entities form no hierarchy.
    case structure(ModelStructureError)
    /// Its name holds control characters.
    case controlCharacters
    /// Somebody wrote it while it was read.
    case changedMeanwhile
  }

  /// It is released with other hashes.
  case differs(place: String, version: String, path: String, edits: [String])
  /// It is released, and was to become a draft.
  case released(place: String, version: String, path: String)
  /// Data is lost on the way to it, and nobody recorded that this is meant; the names are those that consent to all.
  ///
  /// Consent is not advised where another bundle of the project has an entity that goes: `moved` names both. Where one
  /// mapping model gives all of it up, `mapping` is its path.
  case losesData(
    version: String, path: String, losses: [String], names: [String], overwrites: Bool, moved: MovedEntity?,
    mapping: String?)
  /// The list of released versions is not the one that was written.
  case rewritten(location: SourceLocation)
  /// Its support ended, and it was to be recorded as any other.
  case retired(place: String, version: String, path: String, LockFile.Retirement)
  /// Its file is gone, and another version was to get its name.
  case nameTaken(place: String, version: String, path: String)
  /// The lock file holds no such version.
  case notRecorded(name: String, lock: String, candidates: [String])
  /// A range of versions begins after its end.
  case backwards(first: String, last: String, lock: String)
  /// The version to which stores are migrated was to be retired.
  case retiresCurrent(version: String, bundle: String)
  /// A version that users never had was to be retired.
  case retiresDraft(version: String, lock: String)
  /// A mapping model is recorded with other bytes.
  case mappingDiffers(path: String, version: String)
  /// A file is no mapping model that leads to a released version.
  case noMapping(path: String)
  /// The bundle has no such version.
  case unknownVersion(name: String, bundle: String, candidates: [String])
  /// The bundle has no current version.
  case noCurrentVersion(bundle: String)
  /// The version cannot be recorded as it is.
  case unusable(version: String, Unusable)
  /// What may be lost is in none of the two versions.
  case unknownLosses([String], version: String, candidates: [String])
  /// The bundle moved, and its lock file stayed behind.
  case leftBehind(lock: String, bundle: String)
  /// A compiled bundle has no lock file.
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
    self = isFull ? .noSpace(path: path) : .unwritable(path: path, reason: error.localizedDescription)
  }
}

extension LockError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .differs(let place, let version, let path, let edits):
      """
      \(place): \(version) is released, and is not what it was: \(edits.joined(separator: "; ")); put it back as it \
      was, or record it anew when nobody has stores of it: modelctl lock --relock \(ShellWord(path: path).text)
      """
    case .released(let place, let version, let path):
      """
      \(place): \(version) is released; when nobody has stores of it, make it a draft again: \
      modelctl lock --draft --relock \(ShellWord(path: path).text)
      """
    case .losesData(let version, let path, let losses, _, _, let moved?, _):
      "\(path): users lose data on the way to \(version): \(losses.joined(separator: "; ")); \(moved.advice)"
    case .losesData(let version, let path, let losses, let names, let overwrites, nil, let mapping):
      """
      \(path): users lose data on the way to \(version): \(losses.joined(separator: "; ")); carry it over \
      \(mapping.map { "in \($0)" } ?? "with a renaming identifier or a mapping model"), or, if that is meant, \
      \(LossConsent(names).advice(for: "modelctl lock\(overwrites ? " --relock" : "") \(ShellWord(path: path).text)"))
      """
    case .rewritten(let location):
      """
      \(location): the list of released versions is not the one that modelctl wrote: an entry was taken out or put in by \
      hand, or merged badly; restore it before you record anything; it was: \(GitAdvice.history(of: location.file))
      """
    case .retired(let place, let version, let path, let retirement):
      """
      \(place): \(version) is retired since \(retirement.date) (\(retirement.reason)); to support its stores again: \
      modelctl lock --relock \(ShellWord(path: path).text)
      """
    case .nameTaken(let place, let version, let path):
      """
      \(place): \(version) is recorded with its hashes, and no other version can have its name; give the new one another \
      name, or look for the one that is gone: \(GitAdvice.history(of: path))
      """
    case .notRecorded(let name, let lock, let candidates):
      "\(lock): holds no version “\(name)”\(candidates.isEmpty ? "; see the versions with: modelctl log" : Self.advice(candidates))"
    case .backwards(let first, let last, let lock):
      "\(lock): \(last) is older than \(first); write the range as \(last)..\(first)"
    case .retiresCurrent(let version, let bundle):
      "\(bundle): \(version) is the current version, to which stores are migrated; retire older versions only"
    case .retiresDraft(let version, let lock):
      "\(lock): \(version) is a draft, of which users have no stores; delete it together with its entry"
    case .mappingDiffers(let path, let version):
      """
      \(path): is recorded with other bytes; put it back as it was, or, if the edit is meant, record it: \
      modelctl lock --relock \(ShellWord(path: version).text)
      """
    case .noMapping(let path):
      """
      \(path): is no mapping model that leads to a released version of a bundle here; see which versions it is for with: \
      modelctl mapping show \(ShellWord(path: path).text)
      """
    case .unknownVersion(let name, let bundle, let candidates):
      "\(bundle): has no version “\(name)”; "
        + (candidates.isEmpty ? "it has none" : NearNames.advice(for: name, candidates))
    case .noCurrentVersion(let bundle): "\(bundle): has no current version; name the version to record, as an argument"
    case .unusable(let version, let cause):
      switch cause {
      case .structure(let error): "\(version): \(error); mend the model before it is recorded"
      case .controlCharacters: "\(version): the name holds control characters; rename the folder"
      case .changedMeanwhile: "\(version): it changed while it was read; run the command again"
      }
    case .unknownLosses(let names, let version, let candidates):
      """
      --allow-data-loss: neither \(version) nor the version before it has \(Self.list(names))\
      \(candidates.isEmpty ? "; write it as Entity or Entity.property" : Self.advice(candidates))
      """
    case .leftBehind(let lock, let bundle):
      """
      \(lock): belongs to \(bundle), which moved away from it; move it along first: \
      git mv \(ShellWord(path: lock).text) \(ShellWord(path: LockFile.path(besideBundleAt: bundle)).text)
      """
    case .compiled(let bundle): "\(bundle): is compiled; record the bundle that it was made from"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason); check the folder's permissions"
    case .noSpace(let path): "\(path): cannot be written: no space is left; make some, see how much with: df -h"
    case .changedMeanwhile(let path, let version):
      "\(path): another run has recorded \(version) differently meanwhile; look at it, and record again"
    }
  }

  private static func list(_ names: [String]) -> String { NameList.text(names.map { "“\($0)”" }) }

  private static func advice(_ candidates: [String]) -> String {
    NearNames.clause(candidates, else: "; it has none")
  }
}
