import ArgumentParser
import Foundation
import ModelKit

extension Todo {
  /// How dates are read and shown: 2026-12-24.
  static let dateStyle = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()

  /// What is open comes first, then what matters more, then what has no date, as Core Data sorts, and what is due earlier.
  static let order: [ObjectSort<Todo>] = [.ascending(\.isDone), .descending(\.priority), .ascending(\.dueDate)]

  /// Reads a day that there is.
  static func day(_ text: String) throws -> Date {
    guard let date = try? Date(text, strategy: dateStyle), date.formatted(dateStyle) == text else {
      throw ValidationError("“\(text)” is no day such as 2026-12-24")
    }
    return date
  }

  /// A line of the list: number, mark, title and what else there is.
  var line: String {
    let number = String(objectID?.record.key ?? 0)
    let padding = String(repeating: " ", count: max(0, 3 - number.count))
    var parts = ["\(padding)\(number) \(isDone ? "[x]" : "[ ]") \(title)"]
    if let dueDate { parts.append("due \(dueDate.formatted(Self.dateStyle))") }
    if priority != 0 { parts.append("priority \(priority)") }
    return parts.joined(separator: ", ")
  }
}

extension [Todo] {
  /// Writes the list to standard output at once, also into a pipe.
  func show(end: String = "") throws {
    let text = isEmpty ? "nothing to do\n" : map { $0.line + "\n" }.joined()
    try FileHandle.standardOutput.write(contentsOf: Data((text + end).utf8))
  }
}
