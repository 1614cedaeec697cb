import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("Each edit that is kept is given back once, the last first, with its exact bytes")
struct EditRecordTests {
  private let folder: TemporaryFolder
  private let record: EditRecord

  init() throws {
    folder = try TemporaryFolder()
    record = EditRecord(folder: folder.path("edits"))
  }

  /// Keeps a chain of states, and takes back what can be.
  private func undone(_ states: [String], of path: String) throws -> [String] {
    for (before, state) in zip(states, states.dropFirst()) {
      try record.keep(Data(before.utf8), before: Data(state.utf8), of: path)
    }
    var undone: [String] = []
    var current = Data((states.last ?? "").utf8)
    while let edit = record.edit(of: path, to: current) {
      record.forget(edit)
      current = edit.contents
      undone.append(String(decoding: current, as: UTF8.self))
    }
    return undone
  }

  @Test("A file that goes to and fro", arguments: ["ABAB", "ABABABAB", "ABCABC", "AAB", "ABBA", "AABB"])
  func toAndFro(_ chain: String) throws {
    let states = chain.map(String.init)
    #expect(try undone(states, of: folder.path("file")) == states.dropLast().reversed())
    #expect(!record.knows(folder.path("file")))
  }

  @Test("Of a long chain the last twenty")
  func longChain() throws {
    let states = (0..<200).map { "state \($0 % 7)" }
    #expect(try undone(states, of: folder.path("file")) == states.dropLast().suffix(EditRecord.limit).reversed())
  }

  @Test("Of random chains over few states too")
  func randomChains() throws {
    var generator = SeededGenerator(seed: 17)
    for number in 0..<50 {
      let states = (0..<Int.random(in: 2...15, using: &generator)).map { _ in
        "\(Int.random(in: 0..<3, using: &generator))"
      }
      #expect(try undone(states, of: folder.path("file \(number)")) == states.dropLast().reversed(), "\(states)")
    }
  }

  @Test("Files in the folder that are not edits are ignored")
  func strangers() throws {
    try record.keep(Data("A".utf8), before: Data("B".utf8), of: folder.path("file"))
    let place = try #require(FileManager.default.contentsOfDirectory(atPath: record.folder).first)
    let inner = "edits/\(place)/"
    for name in ["\(Int.max)-00", "-1-00", "x", "1-2-3", ".draft"] {
      try Data("C".utf8).write(to: folder.url.appendingPathComponent(inner + name))
    }
    #expect(try undone(["B", "C"], of: folder.path("file")) == ["B", "A"])
  }
}
