import Foundation

extension ModelBundle {
  /// Every bundle below a folder that can be used, sorted by path; a bundle inside a bundle belongs to that one.
  ///
  /// What ``ProjectFiles`` leaves out is left out here too.
  ///
  /// - Parameter folder: the path of the folder; it may be a bundle itself.
  /// - Returns: the bundles that ``init(at:)`` accepts.
  public static func discover(under folder: String) -> [ModelBundle] {
    bundlePaths(under: folder).compactMap { path in try? ModelBundle(at: path) }
  }

  /// The only bundle below a folder; the editor's bundles go before compiled ones.
  ///
  /// - Throws: as ``only(of:under:)``.
  public static func only(under folder: String) throws(ModelFileError) -> ModelBundle {
    try only(of: bundlePaths(under: folder), under: folder)
  }

  /// The only bundle of those found below a folder; the editor's bundles go before compiled ones.
  ///
  /// - Throws: ``ModelFileError/ambiguous(name:candidates:)`` when there are several, the cause when the only one cannot
  ///   be used, and ``ModelFileError/noBundle(folder:)`` when there is none.
  public static func only(of paths: [String], under folder: String) throws(ModelFileError) -> ModelBundle {
    let editable = paths.filter { Form(ofPath: $0)?.isEditable ?? false }
    let choice = editable.isEmpty ? paths : editable
    guard let first = choice.first else { throw .noBundle(folder: folder) }
    guard choice.count == 1 else { throw .ambiguous(name: folder, candidates: choice) }
    return try ModelBundle(at: first)
  }

  /// The paths of every bundle below a folder, usable or not, sorted.
  public static func bundlePaths(under folder: String) -> [String] { ProjectFiles.found(under: folder).bundles }
}
