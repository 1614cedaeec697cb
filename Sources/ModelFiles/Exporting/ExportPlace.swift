import Foundation

/// Where an export goes, known to be free.
struct ExportPlace {
  let form: ModelExport.Form
  let versionName: String?
  let path: String
  let isCurrent: Bool
  let writtenCurrentName: String?

  /// Finds what a path stands for, and whether an export can go there.
  static func resolve(
    _ path: String, version: String?, makesCurrent: Bool
  ) throws(ModelExportError) -> ExportPlace {
    let trimmed = BundlePath.trimmed(path)
    let folder = BundlePath.parent(trimmed)
    switch BundlePath.pathExtension(trimmed).lowercased() {
    case "xcdatamodeld":
      return try resolve(bundle: trimmed, version, makesCurrent)
    case "xcdatamodel" where BundlePath.pathExtension(folder).lowercased() == "xcdatamodeld":
      let name = BundlePath.stem(trimmed)
      guard version == nil || version == name else { throw .twoNames(path: path) }
      return try resolve(bundle: folder, name, makesCurrent)
    case "xcdatamodel":
      guard version == nil else { throw .noBundle(path: path) }
      try checkSurroundings(of: trimmed)
      guard !exists(trimmed) else { throw .exists(path: trimmed) }
      return ExportPlace(.single, BundlePath.stem(trimmed), trimmed, isCurrent: true, nil)
    case "mom", "momd": throw .compiled(path: path)
    default:
      if BundlePath.lastComponent(trimmed) == "contents", BundlePath.pathExtension(folder).lowercased() == "xcdatamodel"
      {
        return try resolve(folder, version: version, makesCurrent: makesCurrent)
      }
      guard version == nil else { throw .noBundle(path: path) }
      try checkSurroundings(of: trimmed)
      guard !isFolder(trimmed) else { throw .folder(path: trimmed) }
      guard !exists(trimmed) else { throw .exists(path: trimmed) }
      return ExportPlace(.file, nil, trimmed, isCurrent: false, nil)
    }
  }

  private init(
    _ form: ModelExport.Form, _ versionName: String?, _ path: String, isCurrent: Bool, _ writtenCurrentName: String?
  ) {
    (self.form, self.versionName, self.path) = (form, versionName, path)
    (self.isCurrent, self.writtenCurrentName) = (isCurrent, writtenCurrentName)
  }

  private static func resolve(
    bundle path: String, _ version: String?, _ makesCurrent: Bool
  ) throws(ModelExportError) -> ExportPlace {
    try checkSurroundings(of: path)
    guard exists(path) else {
      let name = try Self.name(version ?? BundlePath.stem(path))
      return ExportPlace(
        .bundle(path), name, BundlePath.joined(path, "\(name).xcdatamodel"), isCurrent: true, name)
    }
    guard isFolder(path) else { throw .exists(path: path) }
    let bundle: ModelBundle
    do throws(ModelFileError) {
      bundle = try ModelBundle(at: path)
    } catch {
      throw .model(error)
    }
    guard let version else { throw .unnamed(bundle: path) }
    let name = try Self.name(version)
    let folder = BundlePath.joined(path, "\(name).xcdatamodel")
    if let taken = bundle.versions.map(\.name).first(where: { $0.lowercased() == name.lowercased() }) {
      throw .versionExists(name: taken, bundle: path)
    }
    guard !exists(folder) else { throw .exists(path: folder) }
    let saysCurrent = exists(BundlePath.joined(path, CurrentVersionFile.name))
    // A bundle of one version need not say which is current; one of two must.
    let written = makesCurrent ? name : saysCurrent ? nil : bundle.currentVersionName
    return ExportPlace(.version(bundle: path), name, folder, isCurrent: makesCurrent, written)
  }

  private static func name(_ wanted: String) throws(ModelExportError) -> String {
    let name = BundlePath.pathExtension(wanted) == "xcdatamodel" ? BundlePath.stem(wanted) : wanted
    if let reason = VersionName.objection(to: wanted) ?? VersionName.objection(to: name) {
      throw .badName(wanted, reason: reason)
    }
    return name
  }

  private static let bundleExtensions: Set<String> = ["xcdatamodeld", "xcdatamodel", "momd"]

  /// Checks that the folder to write into is there, and that nothing goes into a bundle where nobody looks for it.
  private static func checkSurroundings(of path: String) throws(ModelExportError) {
    let folder = BundlePath.parent(path)
    for name in BundlePath.components(RealPath.of(folder)).reversed()
    where bundleExtensions.contains(BundlePath.pathExtension(name).lowercased()) {
      throw .insideBundle(path: path, bundle: name)
    }
    guard isFolder(folder) else { throw .noFolder(path: path, folder: folder) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// True for whatever has the name, be it a link that leads nowhere.
  private static func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }
}
