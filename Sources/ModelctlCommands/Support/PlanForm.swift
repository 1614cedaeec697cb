import ArgumentParser
import ModelKit

/// What `plan` prints.
enum PlanForm: String, ExpressibleByArgument, CaseIterable {
  /// The statements that `migrate` would run.
  case sql
  /// Swift for Core Data's own staged migration.
  case staged
}

extension LoadedWorkspace {
  /// Prints the Swift of a staged migration.
  ///
  /// - Parameters:
  ///   - store: a store's path, to begin at its version; nil for all versions of the bundle.
  ///   - name: the version to reach; nil for the current one.
  /// - Throws: as `stagedMigration(of:to:)`, and an exit code when there are no such stages.
  func printStages(of store: String?, to name: String?) throws {
    do {
      let (staged, bundle) = try stagedMigration(of: store, to: name)
      try Console.standardOutput(StagedMigrationCode(staged, bundle: bundle).text)
    } catch let refusal as StagedMigrationRefusal {
      Console.standardError("error: \(refusal)\n")
      throw CommandExit.failure
    }
  }
}
