import ArgumentParser
import Foundation
import ModelKit

/// Where a report of what `migrate` does goes.
struct ReportOption: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "FILE.html or FILE.md: what changed, rows before and after, time, refusals. Also written when it fails.",
      valueName: "file"))
  var path: String?

  private var isMarkdown: Bool? {
    switch URL(fileURLWithPath: path ?? "").pathExtension.lowercased() {
    case "html", "htm": false
    case "md", "markdown": true
    default: nil
    }
  }

  func validate() throws {
    if let path, isMarkdown == nil {
      throw ValidationError("--report \(path): name a file that ends in .html or .md")
    }
  }

  /// Makes sure that the report can be written, before anything is done that it would have to tell.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func check() throws(CommandError) {
    guard let path else { return }
    let files = FileManager.default
    var isFolder: ObjCBool = false
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw .unwritable(path: path, reason: "there is no folder \(folder)")
    }
    guard files.isWritableFile(atPath: folder) else {
      throw .unwritable(path: path, reason: "the folder \(folder) may not be written to")
    }
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard !isFolder.boolValue else { throw .unwritable(path: path, reason: "it is a folder") }
    guard files.isWritableFile(atPath: path) else { throw .unwritable(path: path, reason: "it may not be written to") }
    let beginning = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 16)
    guard beginning != Data("SQLite format 3\u{0}".utf8) else {
      throw .unwritable(path: path, reason: "it is an SQLite database, which a report must not replace")
    }
  }

  /// Puts the report in its place, at once.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ record: MigrationRecord) throws(CommandError) {
    guard let path else { return }
    do {
      try FileReplacement.write(Data((isMarkdown == true ? record.markdown : record.html).utf8), to: path)
    } catch {
      throw .unwritable(path: path, reason: error.localizedDescription)
    }
  }
}
