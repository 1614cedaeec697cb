import ArgumentParser
import Foundation
import ModelKit

/// Creates a mapping model that marks open decisions.
struct MappingNew: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a mapping model that marks open decisions.",
    usage: "modelctl mapping new <source> <destination> [<options>]",
    discussion: """
      EXAMPLES
        modelctl mapping new v2 v3 --write     Migrations/Shop/v2-v3.xml
        modelctl mapping new Shop@v2 Shop@v3   print it
        modelctl mapping new v2 v3 --output App/V2toV3.xcmappingmodel

      modelctl infers as much as it can, and lists the inferred mappings in a
      comment. More comments mark each decision that you must make. --write creates
      a mapping file, and its folders, at the path that migrate reads. --output
      creates an .xcmappingmodel, which you edit in Xcode. Core Data reads only an
      .xcmappingmodel; modelctl reads both. Neither option replaces a file.
      """)

  @Argument(help: "The source version.")
  var source: String

  @Argument(help: "The destination version.")
  var destination: String

  @Flag(help: "Write the mapping file to the path that migrate reads.")
  var write = false

  @OptionGroup var xcode: XcodeMappingOption
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    if write, xcode.output != nil { throw ValidationError("--write and --output exclude each other") }
    if !write, xcode.output == nil, !output.format.isEmpty {
      throw ValidationError("--format needs --write or --output")
    }
  }

  func run() throws {
    let old = try models.workspace.namedModel(source)
    let new = try models.workspace.namedModel(destination)
    let bundles = try bundlePaths()
    let versions = try (version(old, in: bundles), version(new, in: bundles))
    if versions.0.versionHashes == versions.1.versionHashes {
      throw CommandError.noStep(source: source, destination: destination, .sameVersion)
    }
    let template = MappingTemplate(from: old.hierarchy, to: new.hierarchy)
    let text = MappingFileWriter.text(
      of: template.written, sourceVersion: versions.0.name, destinationVersion: versions.1.name,
      comments: template.comments)
    let path: String
    if let file = xcode.output {
      path = file
      let mapping = try template.written.resolved(from: old.hierarchy, to: new.hierarchy)
      guard bundles.count == 1 else { throw WorkspaceError.unionOnly(name: destination, what: "an .xcmappingmodel") }
      let project = try Project.here.search().project
      let models = versions.0.snapshot(in: project).flatMap { old in
        versions.1.snapshot(in: project).map { (source: old, destination: $0) }
      }
      try xcode.write(mapping, between: models, path)
    } else if write {
      path = try Project.here.search().mappingPlace(ofBundles: bundles, from: versions.0.name, to: versions.1.name)
      try NewFile.write(text, to: path)
    } else {
      return try Console.standardOutput(text)
    }
    let report = MappingFileReport(
      path: path, source: versions.0.name, destination: versions.1.name,
      openDecisions: try MappingFile(Data(text.utf8), path: path).openDecisions)
    try output.write(text: report.text, document: report)
    if try xcode.output == nil && Project.here.configuration().reader == .coreData {
      Console.note(
        "Core Data cannot read a mapping file: write an .xcmappingmodel with --output; if modelctl migrates your stores, set "
          + "“migratedBy” to “modelctl” in .modelctl.json")
    }
  }

  /// The bundle of both versions, or the bundles that are merged in both versions.
  private func bundlePaths() throws -> [String] {
    let (old, new) = try (bundlePaths(of: source), bundlePaths(of: destination))
    guard Set(old.map(RealPath.of)) == Set(new.map(RealPath.of)) else {
      throw CommandError.noStep(source: source, destination: destination, .otherBundle)
    }
    return new
  }

  private func bundlePaths(of argument: String) throws -> [String] {
    let workspace = models.workspace
    if let paths = try ArgumentUnion(argument, workspace)?.bundlePaths { return paths }
    guard !workspace.mergesBundles, case .version(let version)? = try? workspace.source(argument) else {
      throw CommandError.noStep(source: source, destination: destination, .noVersion)
    }
    return [try EditTarget.bundle(of: version).path]
  }

  /// The name of the version in mapping files: the short name, or the full name for versions of several bundles.
  private func version(_ model: Workspace.NamedModel, in bundles: [String]) throws -> LoadedVersion {
    let isWhole = MergedName(model.name).parts.count > 1
    let name = isWhole ? model.name : String(model.name.split(separator: "@").last ?? "")
    return try LoadedVersion(bundle: bundles.first ?? "", name: name, isCurrent: false, model: model.file.model)
  }
}
