import ArgumentParser
import ModelKit

/// Where a command finds its models.
struct ModelOptions: ParsableArguments {
  @Option(
    name: .customLong("model"), parsing: .singleValue,
    help: ArgumentHelp(
      "The bundle, or a folder with bundles; the whole project otherwise. Given more than once: the bundles that the app merges.",
      valueName: "path"))
  var paths: [String] = []

  init() {}

  /// The bundles at a path that another argument names.
  init(at path: String) { paths = [path] }

  /// The only path given, nil for none and for several.
  var model: String? { paths.count == 1 ? paths.first : nil }

  /// The bundles that are named, of which nothing is read yet.
  var workspace: Workspace { workspace() }

  /// The bundles that are named, of which nothing is read yet.
  ///
  /// - Parameters:
  ///   - configuration: the only configuration to consider.
  ///   - mappings: which mapping models are used.
  /// - Returns: the workspace, which reports on standard error.
  func workspace(
    _ configuration: ConfigurationOption? = nil, mappings: MappingOptions? = nil
  ) -> Workspace {
    var workspace = Workspace(merging: paths, in: .here)
    workspace.configuration = configuration?.configuration
    workspace.mappings = mappings?.choice ?? .found
    workspace.report = Console.show
    return workspace
  }
}

extension Project {
  /// The project in which the program runs: read once, by whatever part of a command asks first.
  static let here = Project()

  /// The bundles by the entities of their current versions; read once, when a refusal first asks for them.
  static let entityHolders = (try? here.search()).map { EntityHolders.read(in: $0) }
}

/// The configuration that stores are opened with, where their entities alone do not tell.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration the stores are opened with; found by their entities otherwise.", valueName: "name"))
  var configuration: String?
}
