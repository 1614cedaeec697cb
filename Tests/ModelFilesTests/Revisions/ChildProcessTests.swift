import Foundation
import ModelFiles
import Testing

@Suite("A program that is started")
struct ChildProcessTests {
  private func process(_ script: String) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    return process
  }

  @Test("Both streams are read at any length, and error output is shortened")
  func streams() throws {
    let script =
      "i=0; while [ $i -lt 4000 ]; do echo 0123456789012345678901234567890123456789 >&2; i=$((i+1)); done; cat"
    let result = try ChildProcess(process(script)).run(input: Data(repeating: 65, count: 300_000), limit: 1 << 20)
    #expect(result.status == 0)
    #expect(result.output == Data(repeating: 65, count: 300_000))
    #expect(result.errors.count == 64 << 10)
  }

  @Test("A program that writes more than the limit is ended")
  func limit() {
    #expect(throws: ChildProcess.RunError.tooMuch(limit: 1000)) {
      try ChildProcess(process("while :; do echo 0123456789; done")).run(limit: 1000)
    }
  }

  @Test("A cancelled program is ended, with its child processes")
  func stopped() {
    #expect(throws: ChildProcess.RunError.stopped) {
      try ChildProcess(process("sleep 60; sleep 60")).run(limit: 1000) { true }
    }
  }

  @Test("A program that writes nothing is ended, and one that writes now and then is not")
  func silence() throws {
    let start = Date()
    #expect(throws: ChildProcess.RunError.silent) {
      try ChildProcess(process("exec sleep 60")).run(limit: 1000, patience: 0.2)
    }
    #expect(Date().timeIntervalSince(start) < 30)
    let script = "for i in 1 2 3 4; do echo $i; sleep 0.5; done"
    let result = try ChildProcess(process(script)).run(limit: 1000, patience: 20)
    #expect(result.output == Data("1\n2\n3\n4\n".utf8))
  }

  @Test(
    "A program that waits for something is ended early, and one that works is not",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
  func idleness() throws {
    let start = Date()
    #expect(throws: ChildProcess.RunError.silent) {
      try ChildProcess(process("exec sleep 60")).run(limit: 1000, idleness: 0.3)
    }
    #expect(Date().timeIntervalSince(start) < 30)
    let work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo $i"
    #expect(try ChildProcess(process(work)).run(limit: 1000, idleness: 0.3).output == Data("300000\n".utf8))
  }

  @Test("The exit code is that of a shell, for signals too")
  func status() throws {
    #expect(try ChildProcess(process("exit 7")).run(limit: 10).status == 7)
    #expect(try ChildProcess(process("kill -KILL $$")).run(limit: 10).status == 137)
  }

  @Test("A program is looked for in the folders of PATH, and one that is not there is not found")
  func search() {
    #expect(ChildProcess.program("sh")?.hasSuffix("/sh") == true)
    #expect(ChildProcess.program("a program that nobody has") == nil)
    #expect(ChildProcess.program("../sh") == nil)
  }
}
