import ArgumentParser
import Foundation
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

  /// The model that an argument names, or the current version when there is none.
  ///
  /// - Throws: as `Workspace.model(_:)`.
  func resolve(_ argument: String?) throws -> (name: String, file: ModelFile) { try workspace.model(argument) }

  /// The same, of which only the entities of a configuration are left.
  ///
  /// - Throws: as ``resolve(_:)``, and `WorkspaceError` when the model has no configuration of the name.
  func resolve(_ argument: String?, configuration: String?) throws -> (name: String, file: ModelFile) {
    var (name, file) = try resolve(argument)
    guard let configuration else { return (name, file) }
    guard let part = file.model.restricted(toConfiguration: configuration) else {
      throw WorkspaceError.unknownConfiguration(
        configuration, model: name, configurations: file.model.configurations.map(\.name))
    }
    file.model = part
    return (name, file)
  }

  /// The same with its inheritance looked through.
  ///
  /// - Throws: as ``resolve(_:)``, and `WorkspaceError` for a model whose inheritance is broken.
  func resolveHierarchy(_ argument: String?) throws -> NamedModel {
    let (name, file) = try resolve(argument)
    do {
      return (name, file, try EntityHierarchy(file.model))
    } catch {
      throw WorkspaceError(error, in: file, named: name)
    }
  }

  /// Two models, under the names that were typed where the versions' own, of two bundles, are the same.
  ///
  /// - Throws: as ``resolveHierarchy(_:)``.
  func resolveHierarchies(
    _ sourceName: String, _ destinationName: String
  ) throws -> (source: NamedModel, destination: NamedModel) {
    let models = [sourceName, destinationName].concurrentMap { argument in Result { try resolveHierarchy(argument) } }
    var (source, destination) = (try models[0].get(), try models[1].get())
    if source.name == destination.name { (source.name, destination.name) = (sourceName, destinationName) }
    guard source.file.isOfStore || destination.file.isOfStore else { return (source, destination) }
    // What no store keeps would look like changes.
    source.hierarchy = try EntityHierarchy(source.hierarchy.model.storedForm)
    destination.hierarchy = try EntityHierarchy(destination.hierarchy.model.storedForm)
    return (source, destination)
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
