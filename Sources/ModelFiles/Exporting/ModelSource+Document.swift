import Foundation
public import ModelDescription

extension ModelSource {
  /// Reads the model with what its file says beyond it, where that is a `contents` file.
  ///
  /// Other files do not say whether entities may be synchronised; they may, as in every model that Xcode makes.
  ///
  /// - Returns: the document, and what was read past.
  /// - Throws: ``ModelFileError``.
  public func document() throws(ModelFileError) -> (document: ContentsDocument, notes: [ModelNote]) {
    let file = try load()
    if case .contents? = form {
      return (try ContentsDocument(try bytes(), path: file.path), file.notes)
    }
    return (ContentsDocument(file.model.synchronisable()), file.notes)
  }

  /// The form of the file, nil when only reading tells.
  private var form: ModelVersion.Form? {
    switch self {
    case .version(let version): version.form
    case .file(_, let form): form
    case .revision(let file): BundlePath.lastComponent(file.path) == "contents" ? .contents : nil
    }
  }

  private func bytes() throws(ModelFileError) -> Data {
    switch self {
    case .version(let version): try version.bytes()
    case .file(let path, _): try FileBytes.read(path)
    case .revision(let file): try GitRepository(folder: file.folder).contents(of: file)
    }
  }
}

extension ManagedObjectModel {
  /// The model with the flag that Xcode gives every entity, unless some element has it.
  public func synchronisable() -> ManagedObjectModel {
    let isSaid = entities.contains { entity in
      entity.isSyncable || entity.attributes.contains(where: \.isSyncable)
        || entity.relationships.contains(where: \.isSyncable)
    }
    guard !isSaid else { return self }
    var model = self
    for position in model.entities.indices { model.entities[position].isSyncable = true }
    return model
  }
}
