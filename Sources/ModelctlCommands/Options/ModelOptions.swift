import ArgumentParser
import Foundation
import ModelKit

/// The models of a command.
struct ModelOptions: ParsableArguments {
  @Option(
    name: .customLong("model"), parsing: .singleValue,
    help: ArgumentHelp(
      "Use this bundle, the bundles in this folder, or the model in this store (default: all bundles of the project). If your app merges bundles, repeat the option.",
      valueName: "path"))
  var paths: [String] = []

  /// The help of a `<model>`.
  ///
  /// Only the help of `show` lists all its forms.
  static let argumentHelp = ArgumentHelp(
    "The model (default: the current version). For its forms, see modelctl help show.", valueName: "model")

  init() {}

  /// The bundles at the path in a different argument.
  init(at path: String) { paths = [path] }

  /// The given path, or nil if there are no paths or several paths.
  var model: String? { paths.count == 1 ? paths.first : nil }

  /// The workspace of the given bundles, which reads nothing yet.
  var workspace: Workspace { workspace() }

  /// The workspace of the given bundles, which reads nothing yet.
  ///
  /// - Parameter configuration: the only configuration to use.
  /// - Returns: the workspace, which prints its reports on standard error.
  func workspace(_ configuration: ConfigurationOption? = nil, mappings: MappingOptions? = nil) -> Workspace {
    var names = Workspace(in: .here)
    names.report = Console.show
    let paths = paths.map { path in
      // If the search fails, modelctl reports the failure when it reads the models.
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
  /// The project in the current folder, read only once for all parts of a command.
  static let here = Project(cache: CacheFolder.path.map { "\($0)/modelctl/folders" })

  /// The bundles by the entities of their current versions, read only once, for the first refusal that needs them.
  static let entityHolders = (try? here.search()).map { EntityHolders.read(in: $0) }
}

/// The configuration of a store, for stores whose entities do not determine it.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use this configuration of the model (default: the configuration with the entities of the store).",
      valueName: "name"))
  var configuration: String?
}

/// The mapping models of a migration.
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
