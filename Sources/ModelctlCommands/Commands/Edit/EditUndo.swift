import ArgumentParser
import ModelKit

struct EditUndo: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last edit of a model file.",
    usage: "modelctl edit undo [--in <version>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit undo                 of the current version
        modelctl edit undo --in v7 --dry-run

      Restores the bytes that the file had before the last modelctl edit. If you
      repeat the command, it undoes earlier edits, up to twenty. If the file changed
      in another way since the edit, modelctl refuses. It keeps the earlier bytes in
      your cache folder (XDG_CACHE_HOME), not in the project.
      """)

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func run() throws {
    let path = try options.target().path
    guard let record = EditOptions.record else { throw CommandError.noCacheFolder }
    let data = try FileBytes.read(path)
    guard let edit = record.edit(of: path, to: data) else {
      throw CommandError.nothingToUndo(path: path, isChanged: record.knows(path))
    }
    if !options.dryRun {
      try options.write(edit.contents, to: path, inPlaceOf: data)
      record.forget(edit)
    }
    let report = EditReport(undoing: data, to: edit.contents, path: path, isWritten: !options.dryRun)
    try options.output.write(text: report.text, document: report, coloring: .unifiedDiff)
  }
}
