import ArgumentParser
import Foundation
import ModelKit

/// Merges two edits of a model file or of a JSON store; git runs it as a merge driver.
struct Merge: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two edits of a model, JSON store or lock file.",
    usage: "modelctl merge <base> <ours> <theirs> [--path <path>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl merge base ours theirs
        git config merge.modelctl.driver "modelctl merge %O %A %B --path %P"

      In a contents file entities, properties and what else has a name are
      merged one by one, and so are their XML attributes; in a JSON store
      objects by entity and key, property by property; in a lock file versions.
      The result goes to <ours>.

      Exits with 1 when something is left to decide: it stands between git's
      conflict markers and is listed on standard error. Exits with 2, and leaves
      <ours> alone, if one of the three is none of these, and for stores of
      different versions.
      """)

  @Argument(help: "The common ancestor; empty when both sides added the file.")
  var base: String

  @Argument(help: "Our side, and where the result goes.")
  var ours: String

  @Argument(help: "Their side.")
  var theirs: String

  @Option(name: .long, help: "The name of the merged file for messages.")
  var path: String?

  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(sources: [base, ours, theirs]) }

  func run() throws {
    let name = path ?? ours
    if [ours, theirs].contains(where: { StoreKinds.kind(ofFile: $0)?.name == JSONStoreKind().name }) {
      let (merge, text) = try models.workspace(configuration).load().merge(
        baseAt: base, oursAt: ours, theirsAt: theirs, name: path)
      try write(text)
      return try show(MergeReport(path: name, merge), check: "modelctl verify \(ShellWord(path: name).text)")
    }
    if name.hasSuffix(ProjectFiles.lockSuffix) {
      let merge = try LockMerge.read(baseAt: base, oursAt: ours, theirsAt: theirs, name: path)
      try write(Data(MergeReport.text(of: merge).utf8))
      return try show(MergeReport(path: name, merge), check: "modelctl check")
    }
    let merge = try ContentsMerge.read(baseAt: base, oursAt: ours, theirsAt: theirs, name: path)
    let broken = try BrokenRules.found(in: merge, named: name, beyond: [ours, theirs])
    try write(merge.data)
    try show(MergeReport(path: name, merge, broken: broken), check: "modelctl check")
  }

  private func show(_ report: MergeReport, check: String) throws {
    if !output.format.isEmpty { try output.write(text: report.text, document: report) }
    guard !report.conflicts.isEmpty else { return }
    Console.standardError(report.text)
    Console.standardError(
      "decide, take the markers out, and run \(check) before: git add \(ShellWord(path: report.path).text)\n")
    throw CommandExit.findings
  }

  /// Replaces our file, or the file that it is a link to, which keeps its permissions.
  private func write(_ data: Data) throws {
    do {
      try FileReplacement.write(data, to: ours)
    } catch {
      throw CommandError.unwritable(ours, error)
    }
  }
}
