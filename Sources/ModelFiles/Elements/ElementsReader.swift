public import Foundation
import ModelDescription

/// Reads the editor's archive: the `elements` file from before XML, and the models inside a mapping model.
public enum ElementsReader {
  /// Reads a file.
  ///
  /// - Throws: ``ModelFileError``.
  public static func read(fileAt path: String) throws(ModelFileError) -> ModelFile {
    try read(try FileBytes.read(path), path: path)
  }

  /// Reads an archive's bytes.
  ///
  /// - Parameters:
  ///   - data: the archive, a binary property list.
  ///   - path: the path that errors name.
  /// - Returns: the model; an archive has no places.
  /// - Throws: ``ModelFileError``.
  public static func read(_ data: Data, path: String) throws(ModelFileError) -> ModelFile {
    guard let root = try KeyedArchive(data, path: path).root, root.isKind(of: "XDPMModel") else {
      throw .brokenArchive(path: path, reason: "it archives no XDPMModel")
    }
    return try read(root, path: path)
  }

  static func read(_ root: ArchivedObject, path: String) throws(ModelFileError) -> ModelFile {
    guard let classes = root["_xd_rootPackage"]?["XDBucketForClassesstorage"] else {
      throw .brokenArchive(path: path, reason: "its model has no entities")
    }
    var notes: [String] = []
    var model = ManagedObjectModel(entities: [])
    for object in classes.members where object.isKind(of: "XDPMEntity") {
      model.entities.append(try ElementsEntityReader.entity(object, path: path, notes: &notes))
    }
    model.versionIdentifiers = [root["_modelVersionIdentifier"]?.filledString].compactMap { $0 }
    model.configurations = (root["_configurationsByName"]?.entries ?? []).map { name, members in
      ModelConfiguration(name: name, entityNames: members.members.compactMap { $0.string ?? $0["_name"]?.string })
    }.sorted { $0.name < $1.name }
    try ModelSize.check(model, path: path)
    let start = SourceLocation(file: path, line: 1, column: 1)
    return ModelFile(model: model, notes: notes.map { ModelNote(location: start, sentence: $0) }, path: path)
  }
}
