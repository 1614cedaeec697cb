import Foundation
import ModelDescription
package import ModelFiles

/// A merged model that an argument, or `--model` given more than once, names.
package struct ArgumentUnion {
  private let sources: [ModelSource]

  /// Parses an argument; nil if it does not name a merged model.
  ///
  /// - Parameters:
  ///   - argument: the argument; nil for the current versions.
  ///   - workspace: the bundles; if the argument omits a version, the current version is used.
  /// - Throws: `ModelFileError` and ``WorkspaceError`` when a part names nothing, or two name one bundle.
  package init?(_ argument: String?, _ workspace: Workspace) throws {
    guard workspace.mergesBundles else {
      guard let argument, let sources = try Self.sources(argument, workspace) else { return nil }
      self.sources = sources
      return
    }
    if let argument, FileManager.default.fileExists(atPath: argument) { return nil }
    let bundles = try workspace.mergedBundles()
    let chosen = try argument.map {
      try UnionName($0).positions(in: bundles.map(\.versions), report: workspace.report).versions
    }
    sources = try bundles.enumerated().map { position, bundle in
      .version(try chosen?[position].map { bundle.versions[$0] } ?? bundle.currentVersion())
    }
  }

  /// The sources named by the parts of `One + Other`; nil for other arguments.
  private static func sources(_ argument: String, _ workspace: Workspace) throws -> [ModelSource]? {
    let parts = UnionName(argument).parts
    guard parts.count > 1, !FileManager.default.fileExists(atPath: argument),
      (try? workspace.source(argument)) == nil
    else { return nil }
    return try parts.map { try workspace.source($0) }
  }

  /// The paths of the merged bundles; nil if a part of the name is in no bundle of the workspace.
  package var bundlePaths: [String]? {
    let paths = sources.compactMap { source -> String? in
      guard case .version = source else { return nil }
      return Self.bundle(of: source)
    }
    return paths.count == sources.count ? paths : nil
  }

  /// Reads the models and merges them.
  ///
  /// - Returns: the name of the union and its model, with the locations of all elements.
  /// - Throws: `ModelFileError`, and ``WorkspaceError`` when a model is broken or two contradict each other.
  package func merged() throws -> (name: String, file: ModelFile) {
    var versions: [LoadedVersion] = []
    var files: [ModelFile] = []
    for source in sources {
      let (bundle, file) = (Self.bundle(of: source), try source.load())
      if versions.contains(where: { RealPath.of($0.bundle) == RealPath.of(bundle) }) {
        throw WorkspaceError.bundleTwice(bundle: bundle)
      }
      do {
        versions.append(try LoadedVersion(bundle: bundle, name: source.name, isCurrent: false, model: file.model))
      } catch {
        throw WorkspaceError(error, in: file, named: source.name)
      }
      files.append(file)
    }
    let union: LoadedVersion
    do {
      union = try LoadedVersion(merging: versions)
    } catch {
      throw WorkspaceError.unmergeable(error)
    }
    var file = ModelFile(model: union.hierarchy.model, path: union.name)
    for part in files {
      file.locations.merge(part.locations)
      file.notes += part.notes
    }
    return (union.name, file)
  }

  /// The path of the bundle of a version, or of the model itself if it is not in a bundle.
  private static func bundle(of source: ModelSource) -> String {
    guard case .version(let version) = source else { return source.name }
    let parent = BundlePath.parent(version.path)
    return ModelBundle.Form(rawValue: BundlePath.pathExtension(parent)) == nil ? version.path : parent
  }
}
