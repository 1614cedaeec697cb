import Foundation
import MappingModels
public import ModelDescription
package import ModelFiles
public import PersistentStores

/// The reason why a migration did not run, apart from errors of the store, the models and the rows.
public enum MigrationError: Hashable, Sendable {
  /// No version has the hashes that the store records, and the store does not contain its own model.
  case unknownVersion(path: String)
  /// The store uses a configuration that the destination version does not have.
  case lacksConfiguration(path: String, MissingConfiguration)
  /// The result differs from the plan and was discarded.
  case verificationFailed(path: String, findings: [ResultFinding])
  /// The migration needs more free space than the disk has.
  case notEnoughSpace(path: String, needed: Int64, free: Int64)
  /// An expression or SQL of a mapping model failed for a row; the store is unchanged.
  case expressionFailed(mapping: String, work: FailedWork, detail: String)
  /// A folder or a file could not be read.
  case unreachable(path: String, detail: String)
  /// A file next to the store could not be moved or written.
  case file(path: String, detail: String)

  /// The work during which an expression failed.
  public enum FailedWork: Hashable, Sendable {
    /// A step of the plan.
    case step(PlanCause)
    /// The query that counts the losses of an element.
    case loss(of: String)
    /// The query for rows that block the migration of an element.
    case check(of: ModelElement)
  }
}

extension MigrationError {
  /// The error for a store that cannot be compared with the destination version.
  package init(_ identification: StoreIdentification, path: String, to destination: LoadedVersion) {
    self =
      identification.missingConfiguration(in: destination).map { .lacksConfiguration(path: path, $0) }
      ?? .unknownVersion(path: path)
  }
}

extension MigrationError: AdvisedError {
  /// The store, folder, file or mapping model.
  public var place: String? {
    switch self {
    case .unknownVersion(let path), .lacksConfiguration(let path, _), .verificationFailed(let path, _),
      .notEnoughSpace(let path, _, _), .unreachable(let path, _), .file(let path, _):
      path
    case .expressionFailed(let mapping, _, _): mapping
    }
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .unknownVersion:
      """
      no version of the model has the store's hashes, and the store does not contain its own model \
      (\(CoreDataError.missingSourceModel): missing source managed object model)
      """
    case .lacksConfiguration(_, let missing): missing.sentence
    case .verificationFailed(_, let findings):
      """
      the result differs from the plan and was discarded: \
      \(findings.prefix(5).map(\.description).joined(separator: "; "))
      """
    case .notEnoughSpace(_, let needed, let free):
      "the migration needs \(needed) bytes next to the store, and only \(free) are free; it was not started"
    case .expressionFailed(_, let work, let detail): "\(work): \(detail); the store is unchanged"
    case .unreachable(_, let detail): detail
    case .file(_, let detail): "\(detail); the store is unchanged"
    }
  }

  /// The remedy, if there is one.
  public var advice: Advice? {
    switch self {
    case .notEnoughSpace:
      """
      free some space; or, if the plan touches few rows, migrate in place, which needs less space: \
      \(option: "--in-place")
      """
    case .expressionFailed:
      "give the expression another value for this row, for example with TERNARY, or filter the row out"
    case .unknownVersion, .lacksConfiguration, .verificationFailed, .unreachable, .file: nil
    }
  }
}

extension MigrationError.FailedWork: CustomStringConvertible {
  /// The step, or the element of the query.
  public var description: String {
    switch self {
    case .step(let cause): cause.description
    case .loss(let element): element
    case .check(let element): element.description
    }
  }
}

extension MigrationError {
  /// The same error about another file, such as the name that the user gave.
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
  ///   - path: the file or folder that could not be written.
  ///   - purpose: the failure, such as `the backup cannot be created`.
  /// - Returns: a ``MigrationError``, or `StoreError.diskFull`.
  func error(path: String, _ purpose: String) -> any Error {
    code == ENOSPC || code == EDQUOT
      ? StoreError.diskFull(path: path) : MigrationError.file(path: path, detail: "\(purpose): \(words)")
  }
}
