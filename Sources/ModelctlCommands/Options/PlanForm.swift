import ArgumentParser

/// What `plan` prints.
enum PlanForm: String, ExpressibleByArgument, CaseIterable {
  /// The statements that `migrate` would run.
  case sql
  /// Swift for Core Data's own staged migration.
  case staged
}
