import ArgumentParser
import Foundation
import ModelKit

/// Where a command finds its models.
struct ModelOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("The bundle, or a folder with bundles; this folder otherwise.", valueName: "path"))
  var model: String?

  /// The bundles to look in.
  func bundles() throws -> [ModelBundle] {
    guard let model else { return ModelBundle.discover(under: ".") }
    if let bundle = try? ModelBundle(at: model) { return [bundle] }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: model, isDirectory: &isFolder), isFolder.boolValue,
      BundleForm.isPlainFolder(model)
    else { return [try ModelBundle(at: model)] }
    let found = ModelBundle.discover(under: model)
    guard !found.isEmpty else { throw CommandError.noBundle(folder: model) }
    return found
  }

  /// The model that an argument names, or the current version when there is none.
  func resolve(_ argument: String?) throws -> (name: String, file: ModelFile) {
    guard let argument else {
      let source = try ModelSource.current(bundlePath: model)
      return (source.name, try source.load())
    }
    do {
      let source = try ModelSource.resolve(argument, bundlePath: model)
      return (source.name, try source.load())
    } catch ModelFileError.notAModel(let path) {
      return (path, ModelFile(model: try cachedModel(ofStore: path), path: path))
    }
  }

  private func cachedModel(ofStore path: String) throws -> ManagedObjectModel {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    guard let model = try reader.identify(among: []).model else { throw CommandError.noModelInStore(path: path) }
    return model
  }
}

/// The forms of paths.
enum BundleForm {
  /// True for a folder that is no bundle by its name.
  static func isPlainFolder(_ path: String) -> Bool {
    let name = URL(fileURLWithPath: path).pathExtension.lowercased()
    return ModelBundle.Form(rawValue: name) == nil
  }
}
