import Foundation
import ModelFiles

extension ProjectLoader {
  /// The lock files without a bundle, each with the bundle here that it belongs to now.
  func strayLocks(_ readings: [BundleReading]) -> [(stray: StrayLock, successor: String?)] {
    var open = readings.filter { !FileManager.default.fileExists(atPath: LockFile.path(beside: $0.bundle)) }
    let elsewhere = open.isEmpty || paths.contains(search.project.path) ? [] : [search.project.path]
    let strays = StrayLock.find(under: paths, search)
    let named = Set(strays.map(\.lock.path))
    return
      (strays
      + (elsewhere.isEmpty ? [] : StrayLock.find(under: elsewhere, search).filter { !named.contains($0.lock.path) }))
      .compactMap { stray in
        guard !configuration.excludes(stray.lock.path), !configuration.excludes(stray.bundlePath) else { return nil }
        let successor = open.firstIndex(where: stray.hasVersion) ?? open.firstIndex(where: stray.isOf)
        guard let successor else { return named.contains(stray.lock.path) ? (stray, nil) : nil }
        return (stray, open.remove(at: successor).bundle.path)
      }
  }

  /// What the base and stray lock files say of bundles that are gone, each once.
  func merged(_ gone: [GoneBundle], _ strays: [(stray: StrayLock, successor: String?)]) -> [GoneBundle] {
    let byPath = Dictionary(gone.map { ($0.path, $0) }) { first, _ in first }
    let found = strays.map { stray, successor in
      let known = byPath[stray.bundlePath]
      return GoneBundle(
        path: stray.bundlePath, releasedVersions: known?.releasedVersions ?? stray.releasedVersions,
        movedTo: successor ?? known?.movedTo, base: known?.base ?? BundlePath.lastComponent(stray.lock.path),
        lockLocation: stray.location)
    }
    let paths = Set(found.map(\.path))
    return gone.filter { !paths.contains($0.path) } + found
  }
}
