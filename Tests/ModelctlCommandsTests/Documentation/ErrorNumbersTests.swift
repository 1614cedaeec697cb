import Foundation
import TestSupport
import Testing

@Suite("The page of errors has every number of Core Data that the sources have")
struct ErrorNumbersTests {
  private static let page = Transcript.project.appendingPathComponent("docs/reference/errors.md")

  /// The numbers of Core Data in the sources; the name of a file for each.
  private static func numbers() throws -> [Int: String] {
    let sources = Transcript.project.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    var numbers: [Int: String] = [:]
    for file in files.sorted() where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: /[^0-9A-Za-z_](13[34]_?[0-9]{3})(?![0-9A-Za-z_])/) {
        if let number = Int(match.1.replacing("_", with: "")) { numbers[number] = file }
      }
      // A number of four digits is one of Core Data only if the file has a property or an enum of such numbers.
      guard text.contains(/var code: Int|enum CoreDataError/) else { continue }
      for match in text.matches(of: /[^0-9A-Za-z_](1[56][0-9]{2})(?![0-9A-Za-z_])/) {
        if let number = Int(match.1) { numbers[number] = file }
      }
    }
    return numbers
  }

  /// The numbers in the first column of each table.
  private static func listed() throws -> [[Int]] {
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split { !$0.hasPrefix("|") }.map { table in
      table.compactMap { line in
        line.split(separator: "|").first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
      }
    }
  }

  @Test("Each number is a row of a table")
  func complete() throws {
    let numbers = try Self.numbers()
    #expect(Set(numbers.keys).isSuperset(of: [1560, 1570, 1680, 133000, 133021, 134110, 134190]), "\(numbers)")
    let listed = Set(try Self.listed().joined())
    for (number, file) in numbers { #expect(listed.contains(number), "\(number) of Sources/\(file)") }
  }

  @Test("The rows of a table are in the order of the numbers, each once")
  func sorted() throws {
    let tables = try Self.listed().filter { !$0.isEmpty }
    #expect(tables.count > 1)
    for table in tables { #expect(table == Set(table).sorted()) }
  }
}
