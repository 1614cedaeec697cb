import ArgumentParser
import ModelKit

/// What `diff` compares: two models or stores, or two states of the project.
struct ComparisonOptions: ParsableArguments {
  @Argument(help: "The older model, or two revisions with .. between.")
  var source: String?

  @Argument(help: "The newer model.")
  var destination: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compare every bundle with a revision of git, of which the merge base is taken.", valueName: "revision"))
  var base: String?

  func validate() throws {
    if base != nil, let source { throw ValidationError("--base compares every bundle; leave “\(source)” out") }
    if base == nil, destination == nil, range == nil {
      throw ValidationError("name two models, two revisions such as v1.0..v2.0, or one with --base")
    }
  }

  /// The two revisions of `REV..REV`.
  var range: RevisionRange? { destination == nil ? source.flatMap(RevisionRange.init) : nil }

  /// What changed in the bundles of the project; nil where two models are named.
  ///
  /// - Throws: as `Workspace.branchReport(since:)`.
  func branchReport(in workspace: Workspace) throws -> BranchReport? {
    if let base { return try workspace.branchReport(since: base) }
    return try range.map(workspace.branchReport(between:))
  }
}
