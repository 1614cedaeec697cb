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
      throw CommandError.unwritable(path: path, reason: "\(reason); name another file")
    }
  }

  /// The reason why modelctl cannot write to a path, or nil if it can.
  static func refusal(at path: String) -> String? {
    let files = FileManager.default
    let place = RealPath.of(path)
    var isFolder: ObjCBool = false
    let folder = URL(fileURLWithPath: place).deletingLastPathComponent().path
    guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      return "there is no folder \(folder)"
    }
    guard let attributes = try? files.attributesOfItem(atPath: place) else {
      return files.isWritableFile(atPath: folder) ? nil : "the folder \(folder) may not be written to"
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular?: return refusal(in: place, folder)
    case .typeCharacterSpecial?: return files.isWritableFile(atPath: place) ? nil : "it may not be written to"
    case .typeDirectory?: return "it is a folder"
    case .typeSymbolicLink?: return "it is a link that leads to nothing"
    default: return "it is no file"
    }
  }

  /// The reason why modelctl cannot replace a file, or nil if it can.
  private static func refusal(in place: String, _ folder: String) -> String? {
    let files = FileManager.default
    guard files.isWritableFile(atPath: folder) else { return "the folder \(folder) may not be written to" }
    guard files.isWritableFile(atPath: place) else { return "it may not be written to" }
    return ProtectedContent.refusal(at: place)
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
      throw .reportMissing(path: path, reason: error.localizedDescription)
    }
  }
}
