import ArgumentParser
import Foundation
import ModelKit

/// The file for the report of `migrate`.
struct ReportOption: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a report to FILE.html or FILE.md: changes, rows of up to 20 stores, time and refusals. You also get it if the migration fails.",
      valueName: "file"))
  var path: String?

  /// True for a Markdown file, false for an HTML page, or nil for any other file.
  private static func isMarkdown(_ path: String) -> Bool? {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "html", "htm": false
    case "md", "markdown": true
    default: nil
    }
  }

  func validate() throws { try Self.validate(path) }

  static func validate(_ path: String?) throws {
    if let path, isMarkdown(path) == nil {
      throw ValidationError("--report \(path): the name of the file must end in .html or .md")
    }
  }

  /// Checks that modelctl can write the report, before the command does anything.
  ///
  /// - Parameter reserved: the files that the report must not replace.
  func check(against reserved: @autoclosure () throws -> ReservedFiles) throws {
    try Self.check(path, against: reserved())
  }

  static func check(_ path: String?, against reserved: @autoclosure () throws -> ReservedFiles) throws {
    guard let path else { return }
    if let reason = try refusal(at: path) ?? reserved().refusal(for: path) {
      throw CommandError.unwritable(path: path, reason: reason, advice: "name another file")
    }
  }

  /// The reason why modelctl cannot write to a path, or nil if it can.
  static func refusal(at path: String) -> String? {
    let files = FileManager.default
    let target = RealPath.of(path)
    var isFolder: ObjCBool = false
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      return "there is no folder \(folder)"
    }
    guard let attributes = try? files.attributesOfItem(atPath: target) else {
      return files.isWritableFile(atPath: folder) ? nil : "you may not write to the folder \(folder)"
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular?: return refusal(ofFile: target, in: folder)
    case .typeCharacterSpecial?: return files.isWritableFile(atPath: target) ? nil : "you may not write to it"
    case .typeDirectory?: return "it is a folder"
    case .typeSymbolicLink?: return "it is a link to a missing file"
    default: return "it is not a regular file"
    }
  }

  /// The reason why modelctl cannot replace a file, or nil if it can.
  private static func refusal(ofFile target: String, in folder: String) -> String? {
    let files = FileManager.default
    guard files.isWritableFile(atPath: folder) else { return "you may not write to the folder \(folder)" }
    guard files.isWritableFile(atPath: target) else { return "you may not write to it" }
    return ProtectedContent.refusal(at: target)
  }

  /// Writes the report atomically.
  func write(_ record: MigrationRecord) throws(CommandError) {
    try Self.write(html: record.html, markdown: record.markdown, to: path)
  }

  static func write(
    html: @autoclosure () -> String, markdown: @autoclosure () -> String, to path: String?
  ) throws(CommandError) {
    guard let path else { return }
    do {
      try FileReplacement.write(Data((isMarkdown(path) == true ? markdown() : html()).utf8), to: path)
    } catch {
      throw .reportMissing(path: path, reason: CommonWords.cause(of: error))
    }
  }
}
