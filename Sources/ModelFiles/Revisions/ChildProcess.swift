import Dispatch
package import Foundation
import ModelDescription
import Synchronization

/// A program that this one starts: its answer and its complaints are read together, with limits.
package struct ChildProcess {
  /// The end of a program.
  package struct Result {
    /// The exit code; that of a shell for a program that a signal ended.
    package let status: Int32
    /// The standard output.
    package let output: Data
    /// The begin of the standard error; the rest is read and dropped.
    package let errors: Data
  }

  /// Why a program gave no answer.
  package enum RunError: Error, Hashable {
    /// It could not be started.
    case notStarted(reason: String)
    /// It wrote more than is read, and was ended.
    case tooMuch(limit: Int)
    /// It was ended before it had an answer.
    case stopped
    /// It wrote no output for too long, and was stopped.
    case silent
  }

  /// The bytes of complaints that are kept.
  private static let complaintLimit = 64 << 10

  private let process: Process

  /// Takes a process that has not started yet.
  package init(_ process: Process) { self.process = process }

  /// The path of a program in the folders of `PATH`; nil if there is none.
  ///
  /// Relative folders are ignored, because another user may own them.
  package static func program(_ name: String) -> String? { known.value(for: name) { search(name) } }

  private static let known = OncePerKey<String, String?>()

  private static func search(_ name: String) -> String? {
    folders.lazy.map { "\($0)/\(name)" }.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  /// The folders of `PATH` from the root.
  static let folders: [String] = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }()

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: the bytes that it reads; nil for none.
  ///   - limit: the most bytes of its output.
  ///   - patience: the most seconds without a byte; then it is ended.
  ///   - idleness: the most seconds without a byte and without work; then it is ended, such as git that reads a pipe of a
  ///     stranger's. Only Linux shows the work.
  ///   - isStopped: called repeatedly; if it returns true, the program and its child processes are stopped.
  package func run(
    input: Data? = nil, limit: Int, patience: Double = .infinity, idleness: Double = .infinity,
    isStopped: (@Sendable () -> Bool)? = nil
  ) throws(RunError) -> Result {
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = try input.map(Self.handle(of:)) ?? FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do {
      try process.run()
    } catch {
      throw .notStarted(reason: CommonWords.cause(of: error))
    }
    let process = process
    let slot = RunningPrograms.add(process.processIdentifier)
    defer { RunningPrograms.remove(slot) }
    var work = ProcessWork(of: process.processIdentifier)
    let complaints = Reading(errors.fileHandleForReading, limit: Self.complaintLimit) {}
    let answer = Reading(output.fileHandleForReading, limit: limit) { Self.stop(process) }
    let pause = isStopped == nil ? min(patience, idleness, 1) : 0.005
    var reason: RunError?
    while ended.wait(timeout: .now() + pause) == .timedOut {
      guard reason == nil else { continue }
      if isStopped?() ?? false { reason = .stopped }
      let silence = min(answer.silence, complaints.silence)
      // It is asked each time, because it measures from one question to the next.
      let rest = idleness.isFinite ? work.pause : 0
      if silence > patience || min(silence, rest) > idleness { reason = .silent }
      if reason != nil { Self.stop(process) }
    }
    if let reason { throw reason }
    guard let (bytes, isCut) = answer.end(), let (text, _) = complaints.end() else { throw .stopped }
    guard !isCut else { throw .tooMuch(limit: limit) }
    let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
    return Result(status: signal + process.terminationStatus, output: bytes, errors: text)
  }

  /// Ends a process, and the programs that it started if it leads a group of its own.
  private static func stop(_ process: Process) {
    let number = process.processIdentifier
    kill(getpgid(number) == number ? -number : number, SIGKILL)
  }

  /// Bytes in a file without a name: a program may read them whenever it likes, and none is left if it does not.
  private static func handle(of input: Data) throws(RunError) -> FileHandle {
    do {
      let handle = FileHandle(fileDescriptor: try TemporaryLocation.openFile(), closeOnDealloc: true)
      try handle.write(contentsOf: input)
      try handle.seek(toOffset: 0)
      return handle
    } catch let error as TemporaryLocation.Refusal {
      throw .notStarted(reason: "\(error)")
    } catch {
      throw .notStarted(reason: CommonWords.cause(of: error))
    }
  }
}

/// The programs that run, so that a signal which ends this program ends them too.
package enum RunningPrograms {
  private static let count = 64
  /// Read by a signal's handler, which may only read memory that is there.
  private nonisolated(unsafe) static let numbers = {
    let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: count)
    numbers.initialize(repeating: 0, count: count)
    return numbers
  }()
  private static let lock = Mutex(())

  /// Ends the programs that run if Ctrl-C, a closed terminal or a request to end ends this program.
  ///
  /// Signals that are ignored, or that have a handler, stay as they are.
  package static func endWithThisProgram() {
    _ = numbers
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let previous = signal(number) { number in
        for position in 0..<RunningPrograms.count {
          let program = RunningPrograms.numbers[position]
          if program > 0, kill(-program, SIGKILL) != 0 { kill(program, SIGKILL) }
        }
        signal(number, SIG_DFL)
        raise(number)
      }
      if unsafeBitCast(previous, to: UInt.self) != 0 { signal(number, previous) }
    }
  }

  static func add(_ program: Int32) -> Int? {
    lock.withLock { _ in
      let free = (0..<count).first { numbers[$0] == 0 }
      if let free { numbers[free] = program }
      return free
    }
  }

  static func remove(_ position: Int?) {
    guard let position else { return }
    lock.withLock { _ in numbers[position] = 0 }
  }
}

/// Notices for how long a program does not work.
struct ProcessWork {
  private let path: String
  private var last: String?
  private var since = DispatchTime.now().uptimeNanoseconds

  init(of program: Int32) { path = "/proc/\(program)/stat" }

  /// The seconds in which it slept without using the processor; 0 where the system does not show it.
  var pause: Double {
    mutating get {
      let (now, text) = (DispatchTime.now().uptimeNanoseconds, try? String(contentsOfFile: path, encoding: .utf8))
      // The name is in brackets; then come the state and, as the 12th and the 13th word, the times of the processor.
      let words = text?.split(separator: ")").last?.split(separator: " ") ?? []
      let state = words.count > 12 && words[0] == "S" ? "\(words[11]) \(words[12])" : nil
      if state == nil || state != last { (last, since) = (state, now) }
      return Double(now - since) / 1e9
    }
  }
}

/// Reads one stream of a program on a thread of its own.
private final class Reading: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var bytes = Data()
  private var isCut = false
  private let heard = Atomic<UInt64>(DispatchTime.now().uptimeNanoseconds)

  /// The seconds since bytes came.
  var silence: Double {
    let (now, last) = (DispatchTime.now().uptimeNanoseconds, heard.load(ordering: .relaxed))
    return Double(now - min(now, last)) / 1e9
  }

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - handle: the end of the pipe.
  ///   - limit: the most bytes that are kept; the others are read too, so that the program does not wait.
  ///   - excess: called once if more bytes come.
  init(_ handle: FileHandle, limit: Int, excess: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      while let more = try? handle.read(upToCount: 1 << 16), !more.isEmpty {
        heard.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
        let rest = limit - bytes.count
        bytes.append(more.prefix(rest))
        guard more.count > rest, !isCut else { continue }
        isCut = true
        excess()
      }
      done.signal()
    }
  }

  /// The bytes, and whether more came; nil if a different program keeps the stream of one that has ended open.
  func end() -> (bytes: Data, isCut: Bool)? {
    done.wait(timeout: .now() + .seconds(10)) == .success ? (bytes, isCut) : nil
  }
}
