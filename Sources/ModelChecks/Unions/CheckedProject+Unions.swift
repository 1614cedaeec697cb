import Foundation
import ModelFiles

extension CheckedProject {
  /// Adds the unions of a configuration that contain a checked bundle.
  public mutating func addUnions(of configuration: CheckConfiguration, merging paths: [String] = []) {
    var wanted = configuration.unions.map { union in
      (paths: union.paths.map(configuration.path), location: union.location)
    }
    if paths.count > 1 { wanted.append((paths, nil)) }
    let checked = Dictionary(bundles.map { (RealPath.of($0.bundle.path), $0) }) { first, _ in first }
    for union in wanted where union.paths.contains(where: { checked[RealPath.of($0)] != nil }) {
      do {
        let found = try Self.union(of: union.paths, at: union.location, checked, files: mappingReadings)
        unions.append(found)
        let members = Set(union.paths.map(RealPath.of))
        for position in bundles.indices where members.contains(RealPath.of(bundles[position].bundle.path)) {
          bundles[position].history?.take(found, files: mappingReadings)
        }
      } catch {
        errors.append(error)
      }
    }
  }

  private static func union(
    of paths: [String], at location: SourceLocation?, _ checked: [String: CheckedBundle], files: [UnmatchedMappingModel]
  ) throws -> CheckedUnion {
    var bundles: [[LoadedVersion]] = []
    var others: [LoadedVersion] = []
    var histories: [BundleHistory] = []
    for path in paths {
      if let history = checked[RealPath.of(path)]?.history {
        histories.append(history)
        bundles.append(history.versions)
        continue
      }
      do {
        let versions = ReadBundle.read(try ModelBundle(at: path)).usable
        bundles.append(versions)
        others += versions
      } catch {
        guard let location else { throw error }
        throw JSONFileError(.unusableBundle(path: path, error), at: location)
      }
    }
    let mappings = others.isEmpty ? [] : KnownMapping.find(in: files, among: VersionIndex(others)).mappings
    return CheckedUnion(
      bundles: bundles, mappings: histories.flatMap(\.mappings) + mappings,
      unusableMappings: histories.flatMap(\.unusableMappings),
      files: files)
  }
}
