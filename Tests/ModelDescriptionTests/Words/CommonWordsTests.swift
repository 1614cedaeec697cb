import Foundation
import ModelDescription
import Testing

@Suite("The cause of a failed operation on a file")
struct CommonWordsTests {
  @Test(
    "The cause is that of the system, without a sentence about the operation",
    arguments: [
      (POSIXError(.EACCES), "permission denied"), (CocoaError(.fileWriteNoPermission), "permission denied"),
      (CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EISDIR)]), "is a directory"),
      (CocoaError(.fileWriteOutOfSpace), "no space left on device"),
      (CocoaError(.fileNoSuchFile, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOENT)]), CommonWords.missingPath),
    ] as [(any Error, String)])
  func causes(_ error: any Error, _ cause: String) { #expect(CommonWords.cause(of: error) == cause) }

  @Test("A cause without a code of the system ends without a full stop")
  func others() {
    let error = NSError(domain: "app", code: 1, userInfo: [NSLocalizedDescriptionKey: "The file is odd."])
    #expect(CommonWords.cause(of: error) == "The file is odd")
  }
}
