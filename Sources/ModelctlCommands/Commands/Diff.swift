import ArgumentParser
import ModelKit

/// Compares two models, or the models of two states of the project.
struct Diff: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between two models, or on a branch.",
    usage: """
      modelctl diff <source> <destination> [--exit-code] [<options>]
             modelctl diff --base <revision> [<options>]
             modelctl diff <revision>..<revision> [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl diff v1 v2
        modelctl diff --base origin/main     what this branch does to the models
        modelctl diff v1.0..v2.0             the same between two revisions
        modelctl diff --base origin/main --format markdown
        modelctl diff HEAD~1:App/Model.xcdatamodeld App/Model.xcdatamodeld
        modelctl diff store.sqlite v3 --format json
        modelctl diff v1 v2 --plain          for a screen reader

      Each change is shown with what it does to the entity's hash, whether
      Core Data infers a migration for it, and what happens to the rows.
      With --base, and between revisions, the current versions of every
      bundle are compared.
      """)

  @Argument(help: "The older model, or two revisions with .. between.")
  var source: String?

  @Argument(help: "The newer model.")
  var destination: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compare every bundle with a revision of git, of which the merge base is taken.", valueName: "revision"))
  var base: String?

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when something changed.")
  var exitCode = false

  @OptionGroup var plainness: PlainOption
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: FormatOptions<DifferenceForm>
  @OptionGroup var color: ColorOption

  func validate() throws {
    if base != nil, let source { throw ValidationError("--base compares every bundle; leave “\(source)” out") }
    if base == nil, destination == nil, range == nil {
      throw ValidationError("name two models, two revisions such as v1.0..v2.0, or one with --base")
    }
    if base != nil || range != nil, !models.paths.isEmpty {
      throw ValidationError("--model names one model; a branch is compared with all its bundles")
    }
  }

  func run() throws {
    if let base {
      let search = try ThisProject.search()
      return try BundleChange.since(base, in: search) { changes, revision in
        try write(changes, since: "\(revision.revision)")
      }
    }
    if let (earlier, later) = range {
      return try BundleChange.between(earlier, later, in: ThisProject.search()) { changes in
        try write(changes, since: earlier)
      }
    }
    try compareModels()
  }

  /// The two revisions of `REV..REV`.
  private var range: (String, String)? {
    guard destination == nil, let source, let dots = source.firstRange(of: "..") else { return nil }
    let (first, second) = (source[..<dots.lowerBound], source[dots.upperBound...])
    return first.isEmpty || first.hasSuffix("/") || second.hasPrefix("/")
      ? nil : (String(first), second.isEmpty ? "HEAD" : String(second))
  }

  private func compareModels() throws {
    guard let source, let destination else { return }
    let (old, new) = try models.resolveHierarchies(source, destination)
    let difference = ModelDifference(from: old.hierarchy, to: new.hierarchy)
    let report = DifferenceReport(from: old.name, old.hierarchy, to: new.name, new.hierarchy, difference)
    let isPlain = plainness.plain
    try output.write(isPlain ? nil : .difference) { form in
      switch form {
      case .text: PrintableText.escaped(isPlain ? report.plainText : report.text)
      case .json: try JSONText.encode(report)
      case .markdown:
        BranchReport(
          base: old.name,
          [BranchReport.Bundle(from: old, to: new, path: new.name, addedVersions: [], difference, report)]
        ).markdown
      }
    }
    if exitCode, !difference.changes.isEmpty { throw CommandExit.findings }
  }

  private func write(_ changes: [BundleChange], since base: String) throws {
    let report = BranchReport(base: base, try changes.map { try BranchReport.Bundle($0, since: base) })
    try output.write(.difference) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: report.markdown
      }
    }
    if exitCode, !report.bundles.isEmpty { throw CommandExit.findings }
  }
}

extension BranchReport.Bundle {
  /// Takes a bundle at two states.
  ///
  /// - Throws: ``CommandError`` for a model whose inheritance is broken.
  fileprivate init(_ change: BundleChange, since base: String) throws {
    func named(_ version: BundleChange.Version, _ name: String) throws -> NamedModel {
      do {
        return (name, version.file, try EntityHierarchy(version.file.model))
      } catch {
        throw CommandError(error, in: version.file, named: name)
      }
    }
    guard let source = change.source, let destination = change.destination else {
      let entities = (change.source ?? change.destination)?.file.model.entities.count ?? 0
      self.init(
        path: change.path, isAdded: change.source == nil, addedVersions: change.addedVersions, entityCount: entities)
      return
    }
    let isEdited = source.name == destination.name
    let old = try named(source, isEdited ? "\(source.name) of \(base)" : source.name)
    let new = try named(destination, destination.name)
    let difference = ModelDifference(from: old.hierarchy, to: new.hierarchy)
    let report = DifferenceReport(from: old.name, old.hierarchy, to: new.name, new.hierarchy, difference)
    self.init(from: old, to: new, path: change.path, addedVersions: change.addedVersions, difference, report)
  }

  /// Takes two models with what is lost from the one to the other.
  fileprivate init(
    from source: NamedModel, to destination: NamedModel, path: String, addedVersions: [String],
    _ difference: ModelDifference, _ report: DifferenceReport
  ) {
    let mapping = try? MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy)
    let losses = mapping?.losses(source: source.hierarchy, destination: destination.hierarchy) ?? []
    self.init(path: path, addedVersions: addedVersions, report, losses: losses.map(\.element))
  }
}
