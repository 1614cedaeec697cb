import Foundation
import MappingModels
public import ModelDescription
package import ModelFiles
public import PersistentStores

/// Why a migration did not run, beyond what the store, the models or the rows say themselves.
public enum MigrationError: Error, Hashable, Sendable {
  /// No version has the hashes that the store records, and it holds no model itself.
  case unknownVersion(path: String)
  /// The store is of a configuration that the version to reach does not have.
  case lacksConfiguration(path: String, MissingConfiguration)
  /// The result was not what the plan says; nothing of it was kept.
  case verificationFailed(path: String, findings: [ResultFinding])
  /// The migration needs more room than there is.
  case notEnoughSpace(path: String, needed: Int64, free: Int64)
  /// An expression, or SQL, of a mapping model has no value for a row; nothing was kept.
  case expressionFailed(mapping: String, work: FailedWork, detail: String)
  /// A folder or a file among many could not be looked at.
  case unreachable(path: String, detail: String)
  /// A file could not be moved or written beside the store.
  case file(path: String, detail: String)

  /// What was asked or done when an expression had no value.
  public enum FailedWork: Hashable, Sendable {
    /// A step of the plan.
    case step(PlanCause)
    /// The question how much is lost of an element.
    case loss(of: String)
    /// The question whether rows stand in the way of an element.
    case check(of: ModelElement)
  }
}

extension MigrationError {
  /// Why a store cannot be held against the version to reach.
  package init(_ identification: StoreIdentification, path: String, to destination: LoadedVersion) {
    self =
      identification.missingConfiguration(in: destination).map { .lacksConfiguration(path: path, $0) }
      ?? .unknownVersion(path: path)
  }
}

extension MigrationError: CustomStringConvertible {
  /// The place, the cause and the next thing to do.
  public var description: String {
    switch self {
    case .unknownVersion(let path):
      """
      \(path): no version of the model has the store's hashes, and the store holds no model of its own \
      (\(CoreDataError.missingSourceModel): missing source managed object model)
      """
    case .lacksConfiguration(let path, let missing): "\(path): \(missing.sentence)"
    case .verificationFailed(let path, let findings):
      """
      \(path): the result is not what was planned, so nothing was kept: \
      \(findings.prefix(5).map(\.description).joined(separator: "; "))
      """
    case .notEnoughSpace(let path, let needed, let free):
      """
      \(path): the migration needs \(needed) bytes beside the store and \(free) are free, so nothing was begun; make \
      room (`df -h` shows where it went), or, where few rows are touched, use --in-place, which needs less
      """
    case .expressionFailed(let mapping, let work, let detail):
      """
      \(mapping): \(work): \(detail); give the expression another value there, for example by TERNARY, or filter the \
      row out; the store is as it was
      """
    case .unreachable(let path, let detail): "\(path): \(detail)"
    case .file(let path, let detail): "\(path): \(detail); the store is as it was"
    }
  }
}

extension MigrationError.FailedWork: CustomStringConvertible {
  /// The step, or the element that is asked about.
  public var description: String {
    switch self {
    case .step(let cause): cause.description
    case .loss(let element): element
    case .check(let element): element.description
    }
  }
}

extension MigrationError {
  /// The same about another file: the one that people know a store by.
  package func naming(_ path: String) -> MigrationError {
    switch self {
    case .unknownVersion: .unknownVersion(path: path)
    case .lacksConfiguration(_, let missing): .lacksConfiguration(path: path, missing)
    case .verificationFailed(_, let findings): .verificationFailed(path: path, findings: findings)
    case .notEnoughSpace(_, let needed, let free): .notEnoughSpace(path: path, needed: needed, free: free)
    case .expressionFailed: self
    case .unreachable(_, let detail): .unreachable(path: path, detail: detail)
    case .file(_, let detail): .file(path: path, detail: detail)
    }
  }
}

extension FileError {
  /// The error of a migration.
  ///
  /// - Parameters:
  ///   - path: what could not be written.
  ///   - purpose: what could not be done, such as `the backup cannot be made`.
  /// - Returns: a ``MigrationError``, or that the disk is full.
  func error(path: String, _ purpose: String) -> any Error {
    code == ENOSPC || code == EDQUOT
      ? StoreError.diskFull(path: path) : MigrationError.file(path: path, detail: "\(purpose): \(words)")
  }
}
