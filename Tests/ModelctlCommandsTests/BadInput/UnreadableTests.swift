import Foundation
import TestSupport
import Testing

/// Files and folders that the user may not read.
///
/// The superuser may read everything, so the program is then run as a user without rights.
@Suite("Unreadable files are reported, and nothing else happens") struct UnreadableTests {
  private static let stepDown = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups -- " : ""
  private static let isPossible: Bool =
    stepDown.isEmpty || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
  private static let reason: Comment = "the superuser may read everything, and there is no setpriv to step down with"

  /// Runs a line of shell, as a user without rights to the path, and expects one error and the same files.
  private func expectRefusal(_ line: String, closing path: String, says words: String, in workspace: SampleFolder)
    throws
  {
    let before = try workspace.contents()
    let run = try Modelctl.shell(
      """
      [ -z '\(Self.stepDown)' ] || chown -R 65534 .
      mode=$(stat -c %a '\(path)' 2>/dev/null || stat -f %Lp '\(path)')
      chmod 000 '\(path)'
      \(Self.stepDown)modelctl \(line)
      status=$?
      chmod "$mode" '\(path)'
      exit $status
      """, in: workspace)
    #expect(run.status == 2, "\(line): \(run)")
    #expect(run.standardError.components(separatedBy: "error: ").count == 2, "\(line): \(run.standardError)")
    #expect(run.standardError.contains("error: \(words)"), "\(line): \(run.standardError)")
    #expect(run.standardOutput.isEmpty, "\(line): \(run.standardOutput)")
    #expect(try workspace.contents() == before, "\(line)")
  }

  @Test("A store", .enabled(if: isPossible, reason), arguments: ["status", "verify", "plan", "migrate"])
  func store(_ command: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1")
    try expectRefusal(
      "\(command) todo.sqlite", closing: "todo.sqlite", says: "todo.sqlite: the file is not readable", in: workspace)
  }

  @Test("The folder of a store", .enabled(if: isPossible, reason), arguments: ["status", "verify", "plan", "migrate"])
  func storeFolder(_ command: String) throws {
    let workspace = try SampleFolder()
    try FileManager.default.createDirectory(atPath: workspace.folder.path("data"), withIntermediateDirectories: false)
    let path = "data/todo.sqlite"
    try workspace.makeStore(path, version: "Todo@v1")
    try expectRefusal("\(command) \(path)", closing: "data", says: "\(path): the file is not readable", in: workspace)
  }

  @Test(
    "A version of a bundle", .enabled(if: isPossible, reason),
    arguments: ["hash Todo@v1", "show Todo@v1", "diff Todo@v1 Todo@v2", "check Models/Todo.xcdatamodeld"])
  func version(_ line: String) throws {
    let path = "Models/Todo.xcdatamodeld/v1.xcdatamodel/contents"
    try expectRefusal(line, closing: path, says: "\(path): cannot be read", in: SampleFolder())
  }

  @Test(
    "A bundle", .enabled(if: isPossible, reason),
    arguments: ["hash --model", "check", "matrix"])
  func bundle(_ command: String) throws {
    let path = "Models/Todo.xcdatamodeld"
    try expectRefusal("\(command) \(path)", closing: path, says: "\(path): cannot be read", in: SampleFolder())
  }
}
