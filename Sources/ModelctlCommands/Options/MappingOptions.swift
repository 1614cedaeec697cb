import ArgumentParser
import Foundation
import ModelKit

/// Which mapping models a migration uses, and what stands in for policies that only an app has.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("A mapping model to use; those found by themselves are not.", valueName: "path"))
  var mapping: [String] = []

  @Flag(name: .customLong("no-mappings"), help: "Infer everything, whatever mapping models there are.")
  var noMappings = false

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Class=default, Class.attribute=SQL or Class/selector:=SQL: what is done in place of a policy class.",
      valueName: "stand-in"))
  var policy: [String] = []

  func validate() throws {
    if noMappings && !mapping.isEmpty { throw ValidationError("--mapping and --no-mappings exclude each other") }
    _ = try standIns()
  }

  /// What is done in place of policy classes, by class name.
  func standIns() throws -> [String: PolicyStandIn] {
    try policy.reduce(into: [:]) { standIns, text in
      guard let stand = PolicyOption(text) else {
        throw ValidationError(
          "--policy \(text): expected Class=default, Class.attribute=SQL or Class/selector:=SQL")
      }
      stand.add(to: &standIns[stand.className, default: PolicyStandIn()])
    }
  }

  /// The mapping models of the versions, those found by themselves or the ones named.
  ///
  /// - Parameters:
  ///   - versions: the versions of the bundles.
  ///   - modelPath: the path that `--model` named.
  /// - Returns: the mappings, and the files that cannot be used.
  /// - Throws: ``CommandError`` when one cannot be used that was named or lies in the bundle's own folder.
  func mappings(
    among versions: [KnownVersion], modelPath: String?
  ) throws -> (mappings: [KnownMapping], unusable: [UnusableMapping]) {
    guard !noMappings else { return ([], []) }
    guard mapping.isEmpty else {
      let (mappings, failures) = KnownMapping.load(from: mapping, among: versions)
      if let failure = failures.first { throw CommandError.badMapping(reason: failure.reason) }
      return (mappings, [])
    }
    let bundles = Set(versions.map { URL(fileURLWithPath: $0.bundle).deletingPathExtension().lastPathComponent })
    let paths = Self.paths(modelPath: modelPath).filter { MappingPath.bundleName(of: $0).map(bundles.contains) ?? true }
    let (mappings, failures) = KnownMapping.load(from: paths, among: versions)
    for failure in failures {
      guard case .unreadable = failure.fault else { continue }
      if MappingPath.bundleName(of: failure.path) != nil { throw CommandError.brokenMapping(reason: failure.reason) }
      Console.warn("left out: \(failure.reason)")
    }
    return (mappings, failures)
  }

  /// Below the current folder, and beside the bundle that was named or in `Migrations` beside its folder.
  private static func paths(modelPath: String?) -> [String] {
    var folders = ["."]
    if let modelPath {
      let folder = (modelPath as NSString).standardizingPath
      let parent = (folder as NSString).deletingLastPathComponent
      if parent.hasPrefix("/") || parent.hasPrefix("..") {
        let grandparent = (parent as NSString).deletingLastPathComponent as NSString
        folders = [parent, grandparent.appendingPathComponent(MappingPath.folderName)]
      }
    }
    var seen: Set<String> = []
    return folders.flatMap(MappingPath.discover(under:)).filter { seen.insert($0).inserted }
  }
}

/// One `--policy` option taken apart.
private struct PolicyOption {
  let className: String
  private let member: Member

  private enum Member {
    case treatAsDefault
    case attribute(String, sql: String)
    case function(String, sql: String)
  }

  init?(_ text: String) {
    guard let sign = text.firstIndex(of: "=") else { return nil }
    let (name, value) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
    guard !name.isEmpty, !value.isEmpty else { return nil }
    if let slash = name.firstIndex(of: "/") {
      className = String(name[..<slash])
      member = .function(String(name[name.index(after: slash)...]), sql: value)
    } else if value == "default" {
      className = name
      member = .treatAsDefault
    } else if let dot = name.lastIndex(of: ".") {
      className = String(name[..<dot])
      member = .attribute(String(name[name.index(after: dot)...]), sql: value)
    } else {
      return nil
    }
    if className.isEmpty { return nil }
  }

  func add(to standIn: inout PolicyStandIn) {
    switch member {
    case .treatAsDefault: break
    case .attribute(let name, let sql): standIn.attributes[name] = sql
    case .function(let selector, let sql): standIn.functions[selector] = sql
    }
  }
}
