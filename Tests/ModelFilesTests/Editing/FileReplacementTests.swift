import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("A file that was read is replaced only while it is as it was read")
struct FileReplacementTests {
  @Test("A change that another process saved is not lost, whether it is longer, shorter or of the same length")
  func changed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("contents")
    let former = Data("<model/>".utf8)
    for other in ["<model></model>", "", "<modex/>"] {
      try Data(other.utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: FileReplacement.Refusal.changed) {
        try FileReplacement.write(Data("<new/>".utf8), to: path, inPlaceOf: former)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(other.utf8))
    }
    try former.write(to: URL(fileURLWithPath: path))
    try FileReplacement.write(Data("<new/>".utf8), to: path, inPlaceOf: former)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("<new/>".utf8))
    #expect(throws: (any Error).self) {
      try FileReplacement.write(former, to: folder.path("gone"), inPlaceOf: former)
    }
  }
}
