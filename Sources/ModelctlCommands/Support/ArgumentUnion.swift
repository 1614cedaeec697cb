import Foundation
import ModelKit

/// A merged model that an argument, or `--model` given more than once, names.
struct ArgumentUnion {
  private let sources: [ModelSource]

  /// Takes an argument apart; nil for one that names no merged model.
  ///
  /// - Parameters:
  ///   - argument: the argument; nil for the current versions.
  ///   - options: the bundles; a version that the argument leaves out is the current one.
  /// - Throws: `ModelFileError` and ``CommandError`` when a part names nothing, or two name one bundle.
  init?(_ argument: String?, _ options: ModelOptions) throws {
    guard options.mergesBundles else {
      guard let argument, let sources = try Self.sources(argument, options) else { return nil }
      self.sources = sources
      return
    }
    if let argument, FileManager.default.fileExists(atPath: argument) { return nil }
    let bundles = try options.mergedBundles()
    let chosen = try argument.map { try UnionName($0).positions(in: bundles.map(\.versions)).versions }
    sources = try bundles.enumerated().map { position, bundle in
      .version(try chosen?[position].map { bundle.versions[$0] } ?? bundle.currentVersion())
    }
  }

  /// What the parts of `One + Other` name, nil for an argument of another form.
  private static func sources(_ argument: String, _ options: ModelOptions) throws -> [ModelSource]? {
    let parts = UnionName(argument).parts
    guard parts.count > 1, !FileManager.default.fileExists(atPath: argument),
      (try? options.source(argument)) == nil
    else { return nil }
    return try parts.map { try options.source($0) }
  }

  /// Reads the models and merges them.
  ///
  /// - Returns: the name of the union and its model, with the places of all elements.
  /// - Throws: `ModelFileError`, and ``CommandError`` when a model is broken or two contradict each other.
  func merged() throws -> (name: String, file: ModelFile) {
    var versions: [KnownVersion] = []
    var files: [ModelFile] = []
    for source in sources {
      let (bundle, file) = (Self.bundle(of: source), try source.load())
      if versions.contains(where: { RealPath.of($0.bundle) == RealPath.of(bundle) }) {
        throw CommandError.bundleTwice(bundle: bundle)
      }
      do {
        versions.append(
          try KnownVersion(bundle: bundle, name: source.name, isCurrent: false, model: file.model))
      } catch {
        throw CommandError(error, in: file, named: source.name)
      }
      files.append(file)
    }
    let union: KnownVersion
    do {
      union = try KnownVersion(merging: versions)
    } catch {
      throw CommandError(error)
    }
    var file = ModelFile(model: union.hierarchy.model, path: union.name)
    for part in files {
      file.locations.merge(part.locations) { first, _ in first }
      file.notes += part.notes
    }
    return (union.name, file)
  }

  /// The path of the bundle that a version is in, of another model its own.
  private static func bundle(of source: ModelSource) -> String {
    guard case .version(let version) = source else { return source.name }
    let parent = BundlePath.parent(version.path)
    return ModelBundle.Form(rawValue: BundlePath.pathExtension(parent)) == nil ? version.path : parent
  }
}

extension CommandError {
  /// Takes what keeps versions from being merged, with the places in their files where they can be read.
  init(_ error: UnionError) {
    var elements: [ModelElement] = []
    if case .merge(let cause) = error.cause { elements = [cause.elements.first, cause.elements.second] }
    let names = error.versions.enumerated().map { position, version in
      let file = try? ModelBundle(at: version.bundle).version(named: version.name)?.load()
      let place = elements.dropFirst(position).first.flatMap { file?.location(of: $0) }
      let name = version.bundle == version.name ? version.name : "\(version.bundle) (\(version.name))"
      return place.map { "\($0)" } ?? name
    }
    self = .unmergeable(reason: error.description(calling: names))
  }
}
