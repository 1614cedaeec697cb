import Foundation
import TestSupport
import Testing

/// A run of the built program with what it cost.
struct MeasuredRun {
  /// The exit code, or 128 and the signal that ended it.
  let status: Int32
  /// The processor's time, in seconds, which other programs do not change.
  let seconds: Double
  /// The output of both streams.
  let output: String

  /// The limits that hostile input must stay within.
  ///
  /// They are a second and 256 MiB for a release build, as `scripts/hostile` asks for; a debug build gets ten times the
  /// time, and a build for the sanitizers, which take terabytes of addresses for themselves, as much memory as it likes.
  static let limits: (seconds: Double, mebibytes: Int?) = {
    if SlowBuild.isOn { return (200, nil) }
    let environment = ProcessInfo.processInfo.environment
    return (
      Double(environment["MODELCTL_HOSTILE_SECONDS"] ?? "") ?? 10,
      Int(environment["MODELCTL_HOSTILE_MEBIBYTES"] ?? "") ?? 384
    )
  }()

  /// Runs the program; twice the time that it may take stops it, and so does more memory than it may have.
  ///
  /// The system's figure of the memory of a process begins with that of the one it was started from, here all the tests.
  /// So there is no figure but a limit, which counts what is asked for: what is not granted ends the program by a signal.
  init(_ arguments: [String], in workspace: SampleFolder) throws {
    let program = try Modelctl.program().path
    let folder = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: workspace.url, create: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appendingPathComponent("output").path
    let memory = Self.limits.mebibytes.map { "\($0 << 10)" } ?? "unlimited"
    let limits = "ulimit -t \(Int(Self.limits.seconds * 2) + 1) && ulimit -d \(memory)"
    let line = "cd \"$1\" && shift && \(limits) && exec \"$@\" >\"$0\" 2>&1 </dev/null"
    let words = ["/bin/sh", "-c", line, output, workspace.url.path, program] + arguments
    var process: pid_t = 0
    let pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let code = posix_spawn(&process, "/bin/sh", nil, nil, pointers, environ)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    let signal = status & 0x7F
    self.status = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    seconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    self.output = String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data(), as: UTF8.self)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

extension MeasuredRun {
  /// Runs the program, which must end in a result or an error, within the limits.
  ///
  /// `scripts/hostile` has the figures printed.
  static func bounded(
    _ command: [String], in workspace: SampleFolder, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> MeasuredRun {
    let run = try MeasuredRun(command, in: workspace)
    let words = "\(command.joined(separator: " ")): \(run.seconds) s, exit \(run.status)"
    #expect([0, 1, 2].contains(run.status), "\(words) \(run.output.suffix(300))", sourceLocation: sourceLocation)
    #expect(run.seconds <= limits.seconds, "\(words)", sourceLocation: sourceLocation)
    if ProcessInfo.processInfo.environment["MODELCTL_HOSTILE_SECONDS"] != nil { print(words) }
    return run
  }
}
