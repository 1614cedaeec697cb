import Foundation

/// Asks git for what is in a revision; an argument can never be taken for an option.
struct GitRepository {
  let folder: String

  /// `blob` or `tree`, nil when there is no such revision or path.
  func kind(of file: GitFile) throws(ModelFileError) -> String? {
    let answer = try run(["cat-file", "-t", object(file)], file)
    return answer.isSuccess ? answer.text : nil
  }

  func contents(of file: GitFile) throws(ModelFileError) -> Data {
    let size = try succeed(["cat-file", "-s", object(file)], file)
    let text = String(decoding: size, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let count = Int(text), count <= FileBytes.limit else {
      throw .tooLarge(path: file.argument, what: "its size in bytes", limit: FileBytes.limit)
    }
    return try succeed(["cat-file", "blob", object(file)], file)
  }

  /// The names directly in a tree.
  func names(in file: GitFile) throws(ModelFileError) -> [String] {
    // Without --full-tree, git would leave out what is not below the folder it runs in.
    try succeed(["ls-tree", "--full-tree", "-z", "--name-only", object(file)], file).split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A revision never begins with a dash, so neither does this.
  private func object(_ file: GitFile) -> String { "\(file.revision):\(file.path)" }

  private func succeed(_ arguments: [String], _ file: GitFile) throws(ModelFileError) -> Data {
    let answer = try run(arguments, file)
    guard answer.isSuccess else { throw .git(argument: file.argument, reason: answer.complaint) }
    return answer.output
  }

  private func run(_ arguments: [String], _ file: GitFile) throws(ModelFileError) -> GitCommand.Answer {
    do {
      return try GitCommand(folder: folder).run(arguments)
    } catch {
      throw .git(argument: file.argument, reason: "git could not be started; is it installed?")
    }
  }
}
