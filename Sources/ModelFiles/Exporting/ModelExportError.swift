public import ModelDescription

/// Why a model could not be exported; everything is as it was.
public enum ModelExportError: Error, Hashable, Sendable {
  /// There is something at the path.
  case exists(path: String)
  /// The bundle has a version of this name.
  case versionExists(name: String, bundle: String)
  /// The bundle is there, and nothing names the version.
  case unnamed(bundle: String)
  /// The name can be no version's.
  case badName(String, reason: String)
  /// The path names a version, and so does another name.
  case twoNames(path: String)
  /// A version was named, and the path is no bundle's.
  case noBundle(path: String)
  /// The path is that of a compiled model.
  case compiled(path: String)
  /// The path is that of a folder.
  case folder(path: String)
  /// The folder to write into is not there.
  case noFolder(path: String, folder: String)
  /// The path lies in a bundle, but not where its versions do.
  case insideBundle(path: String, bundle: String)
  /// The model's inheritance is broken.
  case structure(ModelStructureError)
  /// The written model would have other hashes.
  case otherHashes(entities: [String], losses: [ExportLoss])
  /// A model cannot be read.
  case model(ModelFileError)
  /// A file cannot be written.
  case unwritable(path: String, reason: String)
}

extension ModelExportError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .exists(let path): "\(path): is there already; name another path, or remove it first"
    case .versionExists(let name, let bundle):
      "\(bundle): has a version “\(name)”; choose another name with --version"
    case .unnamed(let bundle): "\(bundle): the bundle is there; name the version to add with --version NAME"
    case .badName(let name, let reason): "“\(name)” can be no version's name: \(reason); choose another with --version"
    case .twoNames(let path): "\(path): names the version itself; leave --version out"
    case .noBundle(let path):
      "\(path): only a bundle has named versions; name an .xcdatamodeld, or leave --version out"
    case .compiled(let path):
      "\(path): compiled models are made by Xcode; name an .xcdatamodeld, an .xcdatamodel or a file"
    case .folder(let path): "\(path): is a folder; name what to make in it, such as \(path)/Model.xcdatamodeld"
    case .noFolder(let path, let folder):
      "\(path): there is no folder “\(folder)”; make it first"
    case .insideBundle(let path, let bundle):
      "\(path): lies in \(bundle), where it would not be found; name a path outside of it, or a version of an "
        + ".xcdatamodeld, such as Model.xcdatamodeld/v2.xcdatamodel"
    case .structure(let error): "the model cannot be exported: \(error)"
    case .otherHashes(let entities, let losses):
      "exported, \(entities.joined(separator: ", ")) would have other version hashes, and no store would open; "
        + (losses.isEmpty
          ? "a contents file cannot say all of the model"
          : "a contents file cannot say: \(losses.map { "\($0)" }.joined(separator: "; "))")
        + "; export the contents file that it was made of"
    case .model(let error): "\(error)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason); nothing was changed"
    }
  }
}
