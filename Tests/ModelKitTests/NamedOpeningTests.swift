import Foundation
import TestSupport
import Testing

@testable import ModelKit

@Suite("A store is opened only with the named files")
struct NamedOpeningTests {
  private static let mapping = "Migrations/Orders/v5-v6.xml"

  /// A file or folder in the working directory of a server that belongs to no bundle and no store.
  enum Surroundings: String, CaseIterable {
    /// A configuration that is not JSON.
    case brokenConfiguration
    /// One that leaves out every bundle.
    case excludingConfiguration
    /// A repository whose git configuration runs a program.
    case repository
    /// A mapping file for the same versions in a folder of data.
    case otherMapping
    /// A file that is not XML.
    case brokenMapping
    /// A bundle of the same name.
    case otherBundle
    /// The folder cannot be read.
    case closed
  }

  @Test("The working directory and its files do not matter", arguments: Surroundings.allCases)
  func surroundings(_ surroundings: Surroundings) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.sqlite", rows: 2)
    let work = workspace.url.appendingPathComponent("Work")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    try workspace.write(contents(of: surroundings, workspace), beside: work)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: work.path) }
    if surroundings == .closed {
      try FileManager.default.setAttributes([.posixPermissions: 0o111], ofItemAtPath: work.path)
    }
    let opened = try Self.open(
      workspace.folder.path("shop.sqlite"), workspace.folder.path("Models/Orders.xcdatamodeld"), in: work)
    #expect(opened.first?.hasPrefix("migrated(from: \"v1\", to: \"v6\"") == true, "\(opened)")
    #expect(opened.count == 3 && !opened.joined().contains("hostile"), "\(opened)")
    #expect(!FileManager.default.fileExists(atPath: work.appendingPathComponent("git was run").path))
  }

  @Test("Folders below the bundle's folder and a project around it do not matter")
  func around() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.sqlite", rows: 2)
    try workspace.write("{", to: ".modelctl.json")
    try workspace.write(try Self.hostile(workspace), to: "Models/data/\(Self.mapping)")
    try workspace.write(try Self.hostile(workspace), to: "data/\(Self.mapping)")
    let opened = try Self.open(
      workspace.folder.path("shop.sqlite"), workspace.folder.path("Models/Orders.xcdatamodeld"), in: workspace.url)
    #expect(opened.count == 3 && !opened.joined().contains("hostile"), "\(opened)")
  }

  @Test("A program that opens a project gets its configuration")
  func project() throws {
    let workspace = try SampleFolder()
    let models = workspace.folder.path("Models/Orders.xcdatamodeld")
    #expect(Workspace(at: models).models.isOfNamed && Workspace(merging: [models]).models.isOfNamed)
    #expect(!Workspace(at: models, in: Project()).models.isOfNamed && !Workspace().models.isOfNamed)
  }

  private func contents(of surroundings: Surroundings, _ workspace: SampleFolder) throws -> [String: String] {
    switch surroundings {
    case .brokenConfiguration: return [".modelctl.json": "{"]
    case .excludingConfiguration: return [".modelctl.json": #"{"exclude": ["**"]}"#]
    case .repository:
      let config = "[core]\n\tfsmonitor = touch 'git was run'\n\trepositoryformatversion = 0\n"
      return [".git/config": config, ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": ""]
    case .otherMapping: return ["data/\(Self.mapping)": try Self.hostile(workspace)]
    case .brokenMapping: return ["data/\(Self.mapping)": "<broken", Self.mapping: "<broken"]
    case .otherBundle: return ["Orders.xcdatamodeld/v1.xcdatamodel/contents": "<broken"]
    case .closed: return [:]
    }
  }

  /// The project's own mapping file with another value.
  private static func hostile(_ workspace: SampleFolder) throws -> String {
    let path = workspace.folder.path(mapping)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.replacingOccurrences(of: "canonical:($source.fullName)", with: "'hostile'")
  }

  private static func open(_ store: String, _ bundle: String, in folder: URL) throws -> [String] {
    let process = Process()
    process.executableURL = try #require(BuildFolder.url).appendingPathComponent("ObjectSaver")
    process.arguments = [store, "open", bundle]
    process.currentDirectoryURL = folder
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text.split(separator: "\n").map(String.init)
  }
}

extension SampleFolder {
  /// Writes files into a folder.
  fileprivate func write(_ files: [String: String], beside folder: URL) throws {
    for (name, text) in files {
      let place = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    }
  }
}
