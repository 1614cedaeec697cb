import Foundation

/// Tells the two kinds of archive that hold a model apart.
enum ArchiveForm {
  static func form(of data: Data, path: String) throws(ModelFileError) -> ModelVersion.Form {
    guard let root = try KeyedArchive(data, path: path).root else {
      throw .brokenArchive(path: path, reason: "it archives nothing")
    }
    if root.isKind(of: "NSManagedObjectModel") { return .compiled }
    if root.isKind(of: "XDPMModel") { return .elements }
    throw .notAModel(path: path)
  }
}
