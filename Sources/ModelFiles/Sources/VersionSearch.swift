import ModelDescription

/// Looks version names up in the bundles under a folder.
struct VersionSearch {
  let folder: String
  private let project: ProjectSearch

  /// Prepares the search, which reads no file before the first lookup.
  ///
  /// - Parameters:
  ///   - bundlePath: a bundle, or a folder with bundles; nil for the project.
  ///   - search: the search of the project's bundles.
  init(in bundlePath: String?, _ search: ProjectSearch) {
    folder = bundlePath ?? search.project.path
    project = search
  }

  /// The version that `Bundle@version` names; nil if the text lacks this form.
  func qualified(_ text: String) throws(ModelFileError) -> ModelVersion? {
    let separators = text.indices.filter { text[$0] == "@" && $0 != text.startIndex }
    for separator in separators {
      let name = String(text[text.index(after: separator)...])
      if let version = try version(name, inBundleAt: String(text[..<separator])) { return version }
    }
    guard !separators.isEmpty else { return nil }
    let bundles = search().usable
    var matches: [ModelVersion] = []
    var bundleNames: Set<String> = []
    for separator in separators {
      let path = String(text[..<separator])
      let version = String(text[text.index(after: separator)...])
      let named = VersionLookup.bundles(of: BundlePath.stem(path), in: bundles.map(\.name))
      // Of several bundles of the name a path means one.
      let meant = named.filter { bundles[$0].isNamed(byPath: path) }
      for position in meant.isEmpty ? named : meant {
        let bundle = bundles[position]
        bundleNames.insert(bundle.name)
        matches += VersionLookup.positions(of: version, in: bundle.versions.map(\.name)).map { bundle.versions[$0] }
      }
    }
    guard matches.isEmpty else { return try single(matches, name: text) }
    guard bundleNames.isEmpty else {
      let candidates = bundles.filter { bundleNames.contains($0.name) }.flatMap(\.versions).map(\.qualifiedName)
      throw .unknownVersion(name: text, folder: folder, candidates: NearNames.candidates(for: text, among: candidates))
    }
    return nil
  }

  /// The version of a bundle that a path leads to, for which no project is searched; nil if the path leads to none.
  private func version(_ name: String, inBundleAt path: String) throws(ModelFileError) -> ModelVersion? {
    let forms = BundlePath.looksLikePath(path) ? ModelBundle.Form.allCases : []
    let paths = [path] + forms.map { "\(path).\($0.rawValue)" }
    guard let bundle = paths.lazy.filter({ ModelBundle.Form(ofPath: $0) != nil && ProjectFiles.isFolder($0) }).first
    else { return nil }
    let versions = try ModelBundle(at: bundle).versions
    let matches = VersionLookup.positions(of: name, in: versions.map(\.name)).map { versions[$0] }
    return matches.isEmpty ? nil : try single(matches, name: "\(path)@\(name)")
  }

  /// The current version of the bundle with this name, or the version with this name in any bundle.
  func version(named name: String) throws(ModelFileError) -> ModelVersion {
    let found = search()
    if let named = try exactly(name, found.usable) { return named }
    let respelled = { VersionLookup.isRespelled(name, $0) }
    if let current = try currentVersion(ofBundle: name, isMeant: respelled, found.usable) { return current }
    let versions = found.usable.flatMap(\.versions)
    let meant = VersionLookup.positions(of: name, in: versions.map(\.name)).map { versions[$0] }
    guard meant.isEmpty else { return try single(meant, name: name) }
    if let failure = found.failure { throw failure }
    throw .unknownVersion(
      name: name, folder: folder, candidates: VersionLookup.suggestions(for: name, among: found.usable.map(\.named)))
  }

  /// The version whose name is exactly that of a folder or a file; nil if there is none.
  func versionOfPath(called name: String) throws(ModelFileError) -> ModelVersion? {
    BundlePath.looksLikePath(name) ? nil : try exactly(name, search().usable)
  }

  /// The bundle or versions of exactly this name: a bundle comes before versions, which are `Bundle@Version` too.
  private func exactly(_ name: String, _ bundles: [ModelBundle]) throws(ModelFileError) -> ModelVersion? {
    if let current = try currentVersion(ofBundle: name, isMeant: { $0 == name }, bundles) { return current }
    let matches = bundles.flatMap(\.versions).filter { $0.name == name }
    return matches.isEmpty ? nil : try single(matches, name: name)
  }

  /// The current version of the bundle that a name means; nil if it means none.
  private func currentVersion(
    ofBundle name: String, isMeant: (String) -> Bool, _ bundles: [ModelBundle]
  ) throws(ModelFileError) -> ModelVersion? {
    var current: [ModelVersion] = []
    for bundle in bundles where isMeant(bundle.name) { current.append(try bundle.currentVersion()) }
    return current.isEmpty ? nil : try single(current, name: name)
  }

  /// The bundles under the folder, and what is wrong with the first that cannot be used.
  private func search() -> (usable: [ModelBundle], failure: ModelFileError?) {
    var usable: [ModelBundle] = []
    var failure: ModelFileError?
    for path in project.files(under: folder).bundles {
      do {
        usable.append(try project.bundle(at: path))
      } catch {
        failure = failure ?? error
      }
    }
    return (usable, failure)
  }

  /// The editor's versions go before compiled copies of them; candidates are named the short way where that tells
  /// them apart, else by path.
  private func single(_ all: [ModelVersion], name: String) throws(ModelFileError) -> ModelVersion {
    let editable = all.filter { $0.form != .compiled }
    let matches = editable.isEmpty ? all : editable
    if matches.count == 1, let only = matches.first { return only }
    let names = matches.map(\.qualifiedName)
    throw .ambiguous(name: name, candidates: Set(names).count == names.count ? names : matches.map(\.path))
  }
}

extension ModelBundle {
  /// True if a path points to the bundle, with or without its extension.
  fileprivate func isNamed(byPath text: String) -> Bool {
    guard text.contains("/") else { return false }
    let components = AbsolutePath.components(path)
    let given = AbsolutePath.components(text)
    return given == components || given == components.dropLast() + [name]
  }

  /// The bundle for a lookup of version names.
  package var named: VersionLookup.Bundle { VersionLookup.Bundle(name: name, versions: versions.map(\.name)) }
}
