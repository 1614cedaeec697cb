import ArgumentParser
import Foundation
import ModelKit

/// Merges two edits of a model file or of a JSON store.
///
/// git runs this command as a merge driver.
struct Merge: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two edits of a model, JSON store or lock file.",
    usage: "modelctl merge <base> <ours> <theirs> [--path <path>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl merge base ours theirs
        git config merge.modelctl.driver "modelctl merge %O %A %B --path=%P"

      git runs this command as a merge driver; modelctl init --git sets it up.
      modelctl merges a contents file by named element and by XML attribute. It
      merges a JSON store by object and property, and a lock file by version. It
      writes the result to <ours>.
      Exits with 1 if there are conflicts: the result has git's conflict markers,
      and standard error lists the conflicts. Exits with 2 and leaves <ours>
      unchanged if a file is in a different format, or if the stores have different
      versions.
      """)

  @Argument(help: "The common ancestor. The file is empty if both sides added it.")
  var base: String

  @Argument(help: "Our side. modelctl writes the result to this file.")
  var ours: String

  @Argument(help: "Their side.")
  var theirs: String

  @Option(name: .long, help: "Use this file name in messages, and to recognize a lock file.")
  var path: String?

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

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
      "choose, remove the markers, and run \(check) before: git add \(ShellWord(path: report.path).text)\n")
    throw CommandExit.findings
  }

  /// Replaces our file, or the file that it links to, and keeps its permissions.
  private func write(_ data: Data) throws {
    do {
      try FileReplacement.write(data, to: ours)
    } catch {
      throw CommandError.unwritable(ours, error)
    }
  }
}
