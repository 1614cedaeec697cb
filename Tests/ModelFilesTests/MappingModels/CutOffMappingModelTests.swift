import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("Mapping models that are cut off, or a gigabyte")
struct CutOffMappingModelTests {
  @Test("Every beginning of a file is refused in one sentence with a place")
  func beginnings() throws {
    let bytes = Data(XcodeMappingReadingTests.fixture.text.utf8)
    var refused = 0
    for count in stride(from: 1, to: bytes.count, by: 97) {
      #expect(throws: ModelFileError.self, "\(count) of \(bytes.count) bytes") {
        try XcodeMappingModel(bytes.prefix(count), path: "Old.xcmappingmodel/xcmapping.xml")
      }
      refused += 1
    }
    #expect(refused > 20)
  }

  @Test("A model whose base64 is cut off anywhere is refused at its place", arguments: [1, 2, 3, 4, 7, 64, 400])
  func snapshots(_ missing: Int) throws {
    let error = #expect(throws: ModelFileError.self) {
      try XcodeMappingReadingTests.fixture.read { text in
        guard let start = text.range(of: #"name="sourcemodeldata""#),
          let end = text.range(of: "</attribute>", range: start.upperBound..<text.endIndex)
        else { return text }
        return text.replacingCharacters(
          in: text.index(end.lowerBound, offsetBy: -missing)..<end.lowerBound, with: "")
      }
    }
    guard case .mapping(_, let finding) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(finding)".contains("sourcemodeldata is not"))
  }

  @Test("A gigabyte is refused before it is read")
  func gigabyte() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("xcmapping.xml")
    #expect(FileManager.default.createFile(atPath: path, contents: Data("<database>".utf8)))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 1 << 30)
    try file.close()
    let seconds = ProcessorTime.seconds {
      #expect(throws: ModelFileError.tooLarge(path: path, what: "its size in bytes", limit: 16 << 20)) {
        try XcodeMappingModel(contentsOf: path)
      }
    }
    #expect(seconds < 5)
  }
}
