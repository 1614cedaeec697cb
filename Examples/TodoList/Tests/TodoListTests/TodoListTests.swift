import Foundation
import ModelKit
import Testing

@Suite("The to-do list")
struct TodoListTests {
  let folder: URL
  let todo: TodoProgram

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    todo = TodoProgram(store: folder.appendingPathComponent("todo.sqlite").path)
  }

  /// Makes a store as the first version of an app left it, with one to-do.
  private func makeFirstVersion() throws {
    let models = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/TodoList/Todo.xcdatamodeld")
    var options = OpeningOptions()
    options.migration = .to("v1")
    let store = try ObjectStore.open(todo.store, model: Workspace(at: models.path).load(), options: options)
    try store.write { try $0.insert("Todo", ["createdAt": .attribute(.date(0)), "title": "Learn Core Data"]) }
    try store.close()
  }

  @Test("A store of the first version is migrated, its to-dos are there, and new ones have what is new")
  func migration() throws {
    try makeFirstVersion()
    let listed = try todo.run("list")
    #expect(listed.output == "  1 [ ] Learn Core Data\n" && listed.status == 0)
    #expect(listed.errors == "\(todo.store): migrated from v1 to v2\n")
    let added = try todo.run("add", "Ship it", "--due", "2026-12-24", "--priority", "2")
    #expect(added.output == "  2 [ ] Ship it, due 2026-12-24, priority 2\n" && added.errors.isEmpty)
    #expect(try todo.run("done", "1").output == "  1 [x] Learn Core Data\n")
    #expect(
      try todo.run("list").output == "  2 [ ] Ship it, due 2026-12-24, priority 2\n  1 [x] Learn Core Data\n")
    #expect(try todo.run("list", "--open").output == "  2 [ ] Ship it, due 2026-12-24, priority 2\n")
    #expect(try todo.run("remove", "2").status == 0)
    #expect(try todo.run().output == "  1 [x] Learn Core Data\n")
  }

  @Test("Another process that watches shows each change")
  func watching() throws {
    let (process, output, _) = try todo.start(["watch"])
    defer { process.terminate() }
    var shown = ""
    func next() throws -> String {
      while !shown.contains("--\n") {
        let data = output.availableData
        try #require(!data.isEmpty, "it ended with \(shown)")
        shown += String(decoding: data, as: UTF8.self)
      }
      let parts = shown.split(separator: "--\n", maxSplits: 1, omittingEmptySubsequences: false)
      shown = String(parts[1])
      return String(parts[0])
    }
    #expect(try next() == "nothing to do\n")
    _ = try todo.run("add", "Buy milk")
    #expect(try next() == "  1 [ ] Buy milk\n")
    _ = try todo.run("done", "1")
    #expect(try next() == "  1 [x] Buy milk\n")
    _ = try todo.run("remove", "1")
    #expect(try next() == "nothing to do\n")
  }

  @Test("What cannot be done is one sentence and exit code 2; wrong usage is 64")
  func errors() throws {
    _ = try todo.run("add", "Buy milk")
    let missing = try todo.run("done", "7")
    #expect(missing.status == 2 && missing.errors == "error: there is no to-do 7; todo list shows the numbers\n")
    #expect(try todo.run("remove", "7") == missing)
    let noStore = try TodoProgram(store: folder.path).run("list")
    #expect(noStore.status == 2 && noStore.errors.hasPrefix("error: \(folder.path)"))
    let noNumber = try todo.run("done", "milk")
    #expect(noNumber.status == 64)
    for day in ["tomorrow", "2026-02-30"] {
      let late = try todo.run("add", "Late", "--due", day)
      #expect(late.status == 64 && late.errors.contains("“\(day)” is no day such as 2026-12-24"), "\(late.errors)")
    }
    for title in ["", "  ", "two\nlines", "\u{1B}[31m"] { #expect(try todo.run("add", title).status == 64) }
    #expect(try todo.run("--help").status == 0)
  }
}
