import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

extension CheckConfiguration {
  /// Reads a file.
  ///
  /// - Throws: `JSONFileError` with the location of the error, and `ModelFileError` if the file cannot be read.
  public init(contentsOf path: String) throws { try self.init(try JSONReader.read(fileAt: path), path: path) }

  /// Reads the nearest file: in a folder or a folder above it, up to the top of its git repository, if it has one.
  ///
  /// - Returns: the configuration; empty if there is no file.
  public static func nearest(to folder: String = ".") throws -> CheckConfiguration {
    var prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let depth = URL(fileURLWithPath: folder).standardizedFileURL.pathComponents.count
    for _ in 0..<depth {
      let path = prefix + fileName
      if FileManager.default.fileExists(atPath: path) { return try CheckConfiguration(contentsOf: path) }
      if FileManager.default.fileExists(atPath: prefix + ".git") { break }
      prefix += "../"
    }
    return CheckConfiguration()
  }

  init(_ node: JSONNode, path: String) throws(JSONFileError) {
    self.init(path: path)
    let root = try node.object(keys: [
      "$schema", "rules", "exclude", "released", "unions", "migratedBy", "policies", "cloudKit",
    ])
    _ = try root["$schema"]?.string()
    for member in try root["rules"]?.object().members ?? [] {
      guard Rule.named(member.key) != nil else {
        let error = UnknownRule(member.key)
        throw JSONFileError(
          .wrongValue(ErrorWords(error.cause, error.advice).sentence), at: member.keyLocation)
      }
      let word = try member.value.string()
      guard let level = Level(rawValue: word) else {
        throw JSONFileError(
          .wrongValue("“\(word)” is not a severity; write “off”, “note”, “warning” or “error”"),
          at: member.value.location)
      }
      levels[member.key] = level
    }
    for node in try root["exclude"]?.array() ?? [] {
      let pattern = PathPattern(try node.string())
      guard !pattern.isEmpty, !pattern.text.hasPrefix("/"), !BundlePath.components(pattern.text).contains("..") else {
        throw JSONFileError(
          .wrongValue(
            "“\(pattern.text)” is not a pattern of paths below the folder of this file; write one such as “Pods/**”"),
          at: node.location)
      }
      excluded.append(pattern)
    }
    for node in try root["unions"]?.array() ?? [] { unions.append(try ConfiguredUnion(node)) }
    if let node = root["migratedBy"] {
      let word = try node.string()
      guard let reader = MigrationReader(rawValue: word) else {
        throw JSONFileError(
          .wrongValue("“\(word)” does not migrate stores; write “coreData” or “modelctl”"), at: node.location)
      }
      migratedBy = reader
    }
    for member in try root["policies"]?.object().members ?? [] {
      guard !member.key.isEmpty else {
        throw JSONFileError(.wrongValue("the name of a policy class is empty; write its name"), at: member.keyLocation)
      }
      policies.everywhere[member.key] = try PolicyReplacement(
        member.value, keys: ["attributes", "functions", "mappings"])
      guard case .object = member.value.value else { continue }
      for own in try member.value.object()["mappings"]?.object().members ?? [] {
        let place = self.path(of: own.key)
        guard FileManager.default.fileExists(atPath: place) else {
          throw JSONFileError(
            .wrongValue("“\(own.key)” does not exist; write a path of a mapping model from the folder of this file"),
            at: own.keyLocation)
        }
        policies.byMapping[RealPath.of(place), default: [:]][member.key] = try PolicyReplacement(
          own.value, keys: ["attributes", "functions"])
      }
    }
    if let node = root["cloudKit"] {
      // An object for one container, a list for several.
      let nodes = if case .array(let nodes) = node.value { nodes } else { [node] }
      containers = try nodes.map(ConfiguredContainer.init)
    }
    if let released = try root["released"]?.object(keys: ["tags"]), let node = released["tags"] {
      let pattern = try node.string()
      guard !pattern.isEmpty, !pattern.hasPrefix("-"), !pattern.contains(where: { $0.isNewline || $0 == "\0" }) else {
        throw JSONFileError(
          .wrongValue("“\(pattern)” does not match a tag; write a pattern such as “v*”"), at: node.location)
      }
      releasedTags = pattern
    }
  }
}

extension ConfiguredUnion {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    var paths: [String] = []
    for item in try node.array() {
      let path = BundlePath.trimmed(try item.string())
      guard ModelBundle.Form(rawValue: BundlePath.pathExtension(path)) != nil else {
        throw JSONFileError(
          .wrongValue("“\(path)” is not a bundle; write the path of an .xcdatamodeld from the folder of this file"),
          at: item.location)
      }
      guard !paths.contains(path) else {
        throw JSONFileError(.wrongValue("“\(path)” is named twice in a union; write it once"), at: item.location)
      }
      paths.append(path)
    }
    guard paths.count > 1 else {
      throw JSONFileError(
        .wrongValue("a union needs at least two bundles; add the missing bundles, or remove the union"),
        at: node.location)
    }
    self.init(paths: paths, location: node.location)
  }
}

extension ConfiguredContainer {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    let members = try node.object(keys: ["bundles", "schema", "environment", "configuration", "sharing"])
    for item in try members["bundles"]?.array() ?? [] {
      let path = BundlePath.trimmed(try item.string())
      guard !path.isEmpty else {
        throw JSONFileError(.wrongValue("the path of a bundle is empty; write it, or remove it"), at: item.location)
      }
      bundles.append(path)
      bundleLocations.append(item.location)
    }
    if let node = members["schema"] {
      (schema, schemaLocation) = (try node.string(), node.location)
      guard let schema, !schema.isEmpty, !schema.contains("\0") else {
        throw JSONFileError(
          .wrongValue("the path of the export is empty or has a NUL; write it, or remove “schema”"), at: node.location)
      }
    }
    if let node = members["environment"] {
      environment = try node.string()
      guard ["production", "development"].contains(environment) else {
        throw JSONFileError(
          .wrongValue("“\(environment)” is not an environment; write “production” or “development”"), at: node.location)
      }
    }
    if let node = members["configuration"] {
      (configuration, configurationLocation) = (try node.string(), node.location)
    }
    sharing = try members["sharing"]?.bool() ?? false
  }
}

extension PolicyReplacement {
  /// Reads `"default"`, or SQL for attributes and functions.
  fileprivate init(_ node: JSONNode, keys: [String]) throws(JSONFileError) {
    self.init(isShared: true)
    if case .string(let word) = node.value {
      guard word == "default" else {
        throw JSONFileError(
          .wrongValue("“\(word)” is not a replacement; write “default”, or an object with attributes and functions"),
          at: node.location)
      }
      return
    }
    let object = try node.object(keys: keys)
    attributes = try Self.snippets(object["attributes"])
    functions = try Self.snippets(object["functions"])
  }

  private static func snippets(_ node: JSONNode?) throws(JSONFileError) -> [String: String] {
    var snippets: [String: String] = [:]
    for member in try node?.object().members ?? [] {
      let sql = try member.value.string()
      guard !sql.isEmpty else {
        throw JSONFileError(
          .wrongValue("the SQL of “\(member.key)” is empty; write an expression"), at: member.value.location)
      }
      snippets[member.key] = sql
    }
    return snippets
  }
}

extension PathPattern {
  fileprivate var isEmpty: Bool { text.allSatisfy { $0 == "/" || $0 == "." } }
}
