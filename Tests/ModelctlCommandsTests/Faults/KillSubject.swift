import Foundation
import TestSupport

/// A store that the program changes over and over, each time in a copy of its folder.
struct KillSubject {
  /// One copy.
  struct Run {
    let workspace: SampleFolder
    let command: [String]

    /// Starts the command.
    func start(_ environment: [String: String] = [:]) throws -> Process {
      try Modelctl.start(command, environment: environment, in: workspace)
    }

    var store: String { workspace.folder.path("shop.sqlite") }

    func fingerprint(_ name: String = "shop.sqlite") throws -> StoreFingerprint {
      try StoreFingerprint(copying: workspace.folder.path(name), into: workspace.folder.path("fingerprint"))
    }

    /// True when a journal is there and has nothing to roll back.
    func isWiped(_ name: String) throws -> Bool {
      let path = workspace.folder.path(name)
      guard FileManager.default.fileExists(atPath: path) else { return false }
      return try Data(contentsOf: URL(fileURLWithPath: path)).first ?? 0 == 0
    }

    /// The files beside the store and the models.
    func names() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: workspace.url.path))
        .subtracting(["Models", "Migrations", "count", KillSubject.text])
    }
  }

  /// The input of a `load` command.
  fileprivate static let text = "changes.jsonl"

  private let template: SampleFolder
  private let command: [String]
  let old: StoreFingerprint
  let new: StoreFingerprint
  /// How long the command takes on this machine, in seconds.
  let duration: Double

  init(rows: Int, _ command: String) throws {
    template = try SampleFolder()
    try template.makeStore(rows: rows)
    self.command = command.split(separator: " ").map(String.init)
    if command.contains(Self.text) {
      let lines = (1...rows).map { "{\"entity\": \"Order\", \"id\": \($0), \"number\": 8}\n" }
      try template.write(lines.joined(), to: Self.text)
    }
    let clean = Run(workspace: try Self.copy(template), command: self.command)
    old = try clean.fingerprint()
    let start = Date()
    let process = try clean.start()
    process.waitUntilExit()
    duration = Date().timeIntervalSince(start)
    guard process.terminationStatus == 0 else { throw NothingChanged() }
    new = try clean.fingerprint()
    guard old != new else { throw NothingChanged() }
  }

  struct NothingChanged: Error {}

  func copy() throws -> Run { Run(workspace: try Self.copy(template), command: command) }

  private static func copy(_ template: SampleFolder) throws -> SampleFolder {
    let workspace = try SampleFolder()
    for name in ["shop.sqlite", text] where FileManager.default.fileExists(atPath: template.folder.path(name)) {
      try FileManager.default.copyItem(atPath: template.folder.path(name), toPath: workspace.folder.path(name))
    }
    return workspace
  }
}
