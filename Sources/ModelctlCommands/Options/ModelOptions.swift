import ArgumentParser
import Foundation
import ModelKit

/// Where a command finds its models.
struct ModelOptions: ParsableArguments {
  @Option(
    name: .customLong("model"), parsing: .singleValue,
    help: ArgumentHelp(
      "Use this bundle, or the bundles in this folder (default: all bundles of the project). If your app merges bundles, repeat the option.",
      valueName: "path"))
  var paths: [String] = []

  /// The help of a `<model>`, whose forms only one command lists.
  static let argumentHelp = ArgumentHelp(
    "The model (default: the current version). For its forms, see modelctl help show.", valueName: "model")

  init() {}

  /// The bundles at a path that another argument names.
  init(at path: String) { paths = [path] }

  /// The only path given, nil for none and for several.
  var model: String? { paths.count == 1 ? paths.first : nil }

  /// The bundles that are named, of which nothing is read yet.
  var workspace: Workspace { workspace() }

  /// The bundles that are named, of which nothing is read yet.
  ///
  /// - Parameter configuration: the only configuration to consider.
  /// - Returns: the workspace, which reports on standard error.
  func workspace(_ configuration: ConfigurationOption? = nil, mappings: MappingOptions? = nil) -> Workspace {
    var names = Workspace(in: .here)
    names.report = Console.show
    let paths = paths.map { path in
      // What keeps a search from being made is said when the models are read.
      FileManager.default.fileExists(atPath: path) && !Workspace.isPlainFolder(path)
        ? path : (try? names.bundlePath(called: path)) ?? path
    }
    var workspace = Workspace(merging: paths, in: .here)
    workspace.configuration = configuration?.configuration
    workspace.mappings = mappings?.choice ?? .found
    workspace.report = Console.show
    return workspace
  }
}

extension Project {
  /// The project in which the program runs: read once, by whatever part of a command asks first.
  static let here = Project(cache: CacheFolder.path.map { "\($0)/modelctl/folders" })

  /// The bundles by the entities of their current versions; read once, when a refusal first asks for them.
  static let entityHolders = (try? here.search()).map { EntityHolders.read(in: $0) }
}

/// The configuration that stores are opened with, where their entities alone do not tell.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use this configuration of the model (default: the configuration with the entities of the store).",
      valueName: "name"))
  var configuration: String?
}

/// Which mapping models a migration uses.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Use this mapping model instead of the ones modelctl finds in the project. You can repeat this option.",
      valueName: "path"))
  var mapping: [String] = []

  @Flag(name: .customLong("no-mappings"), help: "Infer every step and ignore all mapping models.")
  var noMappings = false

  func validate() throws {
    if noMappings && !mapping.isEmpty { throw ValidationError("--mapping and --no-mappings exclude each other") }
  }

  var choice: Workspace.MappingChoice { noMappings ? .none : mapping.isEmpty ? .found : .files(mapping) }
}
