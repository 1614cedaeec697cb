import Foundation
import ModelDescription
import ModelFiles
import Testing

@Suite("The generated types of the tests")
struct StudioTypesTests {
  @Test("They equal the generator's output; MODELCTL_RECORD writes them again")
  func current() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("StudioTypes.swift")
    let types = try EntityTypeFiles(stored: EntityHierarchy(StudioModel.model), origin: "Studio")
    let text = types.joined(name: "StudioTypes.swift").text
    if ProcessInfo.processInfo.environment["MODELCTL_RECORD"] != nil {
      try text.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == text)
  }
}
