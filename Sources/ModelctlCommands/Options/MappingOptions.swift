import ArgumentParser
import Foundation
import ModelKit

/// Which mapping models a migration uses.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("A mapping model to use; those found by themselves are not.", valueName: "path"))
  var mapping: [String] = []

  @Flag(name: .customLong("no-mappings"), help: "Infer everything, whatever mapping models there are.")
  var noMappings = false

  func validate() throws {
    if noMappings && !mapping.isEmpty { throw ValidationError("--mapping and --no-mappings exclude each other") }
  }

  /// The mapping models of the versions, those found by themselves or the ones named.
  ///
  /// - Parameters:
  ///   - versions: the versions of the bundles.
  ///   - modelPaths: the paths that `--model` named.
  /// - Returns: the mappings, and the files that cannot be used.
  /// - Throws: ``CommandError`` when one that was named cannot be used, or one that was found cannot be read.
  func mappings(
    among versions: [KnownVersion], near modelPaths: [String]
  ) throws -> (mappings: [KnownMapping], unusable: [UnusableMapping]) {
    guard !noMappings else { return ([], []) }
    guard mapping.isEmpty else {
      let (mappings, failures) = KnownMapping.load(from: mapping, among: versions)
      if let failure = failures.first { throw CommandError.badMapping(reason: failure.reason) }
      return (mappings, [])
    }
    let bundles = Set(versions.map(\.bundleName))
    let paths = try ThisProject.search().mappings(near: modelPaths).filter {
      MappingPath.bundleName(of: $0).map(bundles.contains) ?? true
    }
    let (mappings, failures) = KnownMapping.load(from: paths, among: versions)
    for failure in failures {
      guard case .unreadable = failure.fault else { continue }
      throw CommandError.brokenMapping(reason: failure.reason)
    }
    return (mappings, failures)
  }
}
