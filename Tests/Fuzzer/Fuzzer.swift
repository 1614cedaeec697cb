import Foundation
import FuzzTargets

/// The target that the environment names; scripts/fuzz sets it.
private let target = FuzzTarget(rawValue: ProcessInfo.processInfo.environment["MODELCTL_FUZZ_TARGET"] ?? "")

/// The function that libFuzzer calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let target else {
    FileHandle.standardError.write(Data("error: run scripts/fuzz, which names the target\n".utf8))
    exit(64)
  }
  let data = start.map { Data(bytes: $0, count: count) } ?? Data()
  do {
    try target.run(data)
  } catch {
    FileHandle.standardError.write(Data("finding: \(error)\n".utf8))
    abort()
  }
  return 0
}
