import Foundation

/// A scratch repository of git, as an app team has one.
extension SampleFolder {
  /// The bundle in it, with the versions v1 and v2, of which v2 is current.
  package static let bundle = "App/Todo.xcdatamodeld"
  /// The current version's file.
  package static let contents = "\(bundle)/v2.xcdatamodel/contents"

  /// Makes a repository with one bundle, committed on the branch `main`.
  ///
  /// - Parameter isLocked: whether both versions are in the lock file.
  /// - Returns: the repository's work tree.
  /// - Throws: when git or modelctl fails.
  package static func repository(isLocked: Bool = true) throws -> SampleFolder {
    let prepared = try Prepared.folder("repository \(isLocked)") {
      let workspace = try SampleFolder()
      let lock = isLocked ? " && modelctl lock --all" : ""
      try workspace.shell(
        "mkdir App && mv Models/Todo.xcdatamodeld App && rm -r Models Migrations && git init --quiet --initial-branch=main\(lock)"
      )
      try workspace.commit("The app")
      return workspace
    }
    return try SampleFolder(copying: prepared)
  }

  /// Runs a line of shell that must succeed.
  @discardableResult
  package func shell(_ line: String) throws -> String {
    let result = try Modelctl.shell(line, in: self)
    guard result.status == 0 else {
      throw CocoaError(.executableNotLoadable, userInfo: ["line": line, "reason": result.standardError])
    }
    return result.standardOutput.trimmingCharacters(in: .newlines)
  }

  /// Commits everything.
  package func commit(_ message: String) throws {
    try shell("git add --all && git commit --quiet --message '\(message)'")
  }

  /// Begins a branch on which the shipped version v2 is edited: a task's title becomes optional.
  package func editShippedVersion() throws {
    try shell("git switch --quiet --create edit")
    try edit(Self.contents, #"name="title" attributeType"#, #"name="title" optional="YES" attributeType"#)
    try commit("Titles are optional")
  }

  /// Begins a branch on which a version v3 is added, with one attribute more, and made current.
  package func addVersion() throws {
    try shell("git switch --quiet --create add")
    let former = "\(Self.bundle)/v2.xcdatamodel"
    try shell("cp -R \(former) \(Self.bundle)/v3.xcdatamodel")
    try edit(
      "\(Self.bundle)/v3.xcdatamodel/contents", "<attribute name=\"title\"",
      "<attribute name=\"notes\" optional=\"YES\" attributeType=\"String\"/>\n        <attribute name=\"title\"")
    try edit("\(Self.bundle)/.xccurrentversion", "v2.xcdatamodel", "v3.xcdatamodel")
    try commit("Notes")
  }

  /// A clone of the current branch that has no history.
  package func shallowClone() throws -> SampleFolder {
    let clone = try SampleFolder()
    try clone.shell("rm -r Models Migrations && git clone --quiet --depth 1 'file://\(url.path)' .")
    return clone
  }
}

extension SampleFolder {
  /// A repository with the mirrored sample in `App`: v1 and v2 are released, and the export is that of v2.
  package static func mirrored() throws -> SampleFolder {
    let prepared = try Prepared.folder("mirrored") {
      let workspace = try SampleFolder(emptyNamed: "App")
      for (source, name) in [("Notes.xcdatamodeld", "Notes.xcdatamodeld"), ("v2.ckdb", "schema.ckdb")] {
        try FileManager.default.copyItem(
          at: Prepared.models.appendingPathComponent("CloudKit/\(source)"),
          to: workspace.url.appendingPathComponent("App/\(name)"))
      }
      try workspace.shell(
        """
        rm -r App/Notes.xcdatamodeld/v3.xcdatamodel && modelctl edit current v2 && git init --quiet --initial-branch=main \
        && modelctl lock --all
        """)
      try workspace.commit("The app")
      return workspace
    }
    return try SampleFolder(copying: prepared)
  }
}
