import Foundation
import ModelDescription
package import ModelFiles

/// A version as the name of a merged model names it.
package protocol UnionMember {
  var name: String { get }
  var bundleName: String { get }
}

extension ModelVersion: UnionMember {}
extension LoadedVersion: UnionMember {}

/// The name of a merged model, such as `Shop 2 + Stock@v1`: a version, a bundle or `Bundle@version` each.
package struct UnionName {
  package let text: String
  /// Its parts; the complete name if there is only one.
  package let parts: [String]

  package init(_ text: String) {
    self.text = text
    parts = text.components(separatedBy: LoadedVersion.separator).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Finds the version that each part names.
  ///
  /// - Parameter report: receives a notice if a name differs in case.
  /// - Returns: the position of the named version in each bundle, nil if the name omits the version; and the named
  ///   bundles.
  /// - Throws: `ModelFileError` and ``WorkspaceError`` if a part is unknown, or if two name versions of one bundle.
  package func positions(
    in bundles: [[some UnionMember]], report: (WorkspaceNotice) -> Void
  ) throws -> (versions: [Int?], bundles: Set<Int>) {
    var chosen = [Int?](repeating: nil, count: bundles.count)
    var named: Set<Int> = []
    for part in bundles.contains(where: { $0.contains { $0.name == text } }) ? [text] : parts {
      let (bundle, version) = try position(of: part, in: bundles, report)
      guard named.insert(bundle).inserted else {
        throw WorkspaceError.bundleTwice(bundle: bundles[bundle].first?.bundleName ?? part)
      }
      chosen[bundle] = version
    }
    return (chosen, named)
  }

  private func position(
    of part: String, in bundles: [[some UnionMember]], _ report: (WorkspaceNotice) -> Void
  ) throws -> (bundle: Int, version: Int?) {
    var matches: [(bundle: Int, version: Int?)] = bundles.indices.filter { bundles[$0].first?.bundleName == part }
      .map { ($0, nil) }
    if let match = matches.first, matches.count == 1 {
      WorkspaceNotice.bundleName(
        part, among: bundles[match.bundle].map { (bundle: $0.bundleName, name: $0.name) }, current: nil
      )
      .map(report)
    }
    if matches.isEmpty {
      for (bundle, versions) in bundles.enumerated() {
        let version = versions.firstIndex { $0.name == part || "\($0.bundleName)@\($0.name)" == part }
        if let version { matches.append((bundle, version)) }
      }
    }
    if matches.isEmpty {
      for (bundle, versions) in bundles.enumerated() {
        let named = VersionLookup.positions(of: part, in: versions.map(\.name))
        let qualified = VersionLookup.positions(of: part, in: versions.map { "\($0.bundleName)@\($0.name)" })
        matches += (named.isEmpty ? qualified : named).map { (bundle, $0) }
      }
    }
    if let match = matches.first, matches.count == 1 {
      if let version = match.version {
        let found = bundles[match.bundle][version]
        WorkspaceNotice.respelling(of: part, as: [found.name, "\(found.bundleName)@\(found.name)"]).map(report)
      }
      return match
    }
    let candidates = matches.compactMap { match in
      match.version.map { bundles[match.bundle][$0] }.map { "\($0.bundleName)@\($0.name)" }
    }
    if !candidates.isEmpty { throw ModelFileError.ambiguous(name: part, candidates: candidates) }
    let all = bundles.map {
      VersionLookup.Bundle(name: $0.first?.bundleName ?? "", versions: $0.map(\.name))
    }
    throw WorkspaceError.unknownVersion(
      name: part, bundle: bundles.compactMap { $0.first?.bundleName }.joined(separator: LoadedVersion.separator),
      candidates: VersionLookup.suggestions(for: part, among: all))
  }
}
