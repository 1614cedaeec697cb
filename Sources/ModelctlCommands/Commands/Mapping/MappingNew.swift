import ArgumentParser
import ModelKit

/// Writes a mapping file with what has to be decided.
struct MappingNew: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a mapping file with what has to be decided.",
    usage: "modelctl mapping new <source> <destination> [--write] [<options>]",
    discussion: """
      EXAMPLES
        modelctl mapping new v2 v3 --write     Migrations/Shop/v2-v3.xml
        modelctl mapping new Shop@v2 Shop@v3   print it

      What is left to decide stands in comments beside its place; the rest is
      inferred, and one comment names it. --write makes the folders and writes
      where a migration looks for the file. It replaces none.
      """)

  @Argument(help: "The model that stores have.")
  var source: String

  @Argument(help: "The model they get.")
  var destination: String

  @Flag(help: "Write the file where a migration looks for it.")
  var write = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    if !write, !output.format.isEmpty { throw ValidationError("--format goes with --write") }
  }

  func run() throws {
    let (sourceName, _, sourceModel) = try models.workspace.namedModel(source)
    let (destinationName, _, destinationModel) = try models.workspace.namedModel(destination)
    let names = (source: Self.version(sourceName), destination: Self.version(destinationName))
    let template = MappingTemplate(from: sourceModel, to: destinationModel)
    let text = MappingFileWriter.text(
      of: template.written, sourceVersion: names.source, destinationVersion: names.destination,
      comments: template.comments)
    guard write else { return try Console.standardOutput(text) }
    let path = try Project.here.search().mappingPlace(
      ofBundles: bundlePaths(), from: names.source, to: names.destination)
    try NewFile.write(text, to: path)
    let report = MappingFileReport(
      path: path, source: names.source, destination: names.destination, openDecisions: template.openDecisionCount)
    try output.write(text: report.text, document: report)
  }

  /// The bundle of the version that stores get, or those that are merged in it.
  private func bundlePaths() throws -> [String] {
    let workspace = models.workspace
    if let paths = try ArgumentUnion(destination, workspace)?.bundlePaths { return paths }
    guard !workspace.mergesBundles, case .version(let version) = try workspace.source(destination) else {
      throw WorkspaceError.unionOnly(name: destination, what: "a mapping file in its place")
    }
    return [try EditTarget.bundle(of: version).path]
  }

  /// The version's name as mapping files write it: alone, or whole where it names versions of several bundles.
  private static func version(_ name: String) -> String {
    guard MergedName(name).parts.count == 1 else { return name }
    return name.lastIndex(of: "@").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
