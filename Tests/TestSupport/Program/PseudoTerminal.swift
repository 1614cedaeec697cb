import Foundation

/// A terminal of a given width that programs can be run on.
package enum PseudoTerminal {
  /// The output of a program on the terminal.
  package struct Result {
    package let status: Int32
    package let text: String
  }

  /// Runs the program with both streams on a terminal.
  ///
  /// - Parameters:
  ///   - arguments: the arguments.
  ///   - columns: the width of the terminal.
  ///   - environment: the variables that matter to a terminal; those of this process are left out.
  ///   - input: what somebody types there; nil where standard input is no terminal.
  ///   - workspace: where it runs.
  /// - Returns: the exit code and what stands on the terminal, its line ends as those of files.
  /// - Throws: when there is no terminal to be had, or the program cannot be run.
  package static func run(
    _ arguments: [String], columns: UInt16, environment: [String: String], input: String? = nil,
    in workspace: SampleFolder
  ) throws -> Result {
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard main >= 0, let name = otherEnd(of: main) else { throw POSIXError(.ENOTTY) }
    defer { close(main) }
    let terminal = open(name, O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { throw POSIXError(.ENOTTY) }
    var size = winsize()
    size.ws_col = columns
    size.ws_row = 24
    guard ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.ENOTTY) }
    let process = Process()
    process.executableURL = try Modelctl.program()
    process.arguments = arguments
    process.currentDirectoryURL = workspace.url
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    process.standardInput = input == nil ? FileHandle.nullDevice : handle
    process.standardOutput = handle
    process.standardError = handle
    let kept = ProcessInfo.processInfo.environment.filter { !terminalVariables.contains($0.key) }
    process.environment = kept.merging(environment) { $1 }
    try process.run()
    close(terminal)
    if let input { _ = Array(input.utf8).withUnsafeBytes { write(main, $0.baseAddress, $0.count) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(main, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    return Result(status: process.terminationStatus, text: text)
  }

  private static let terminalVariables: Set<String> = ["COLUMNS", "TERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"]

  /// The path of the terminal itself.
  private static func otherEnd(of main: Int32) -> String? {
    #if os(Linux)
      // The headers show these calls only to those who ask for X/Open's functions: TIOCSPTLCK and TIOCGPTN.
      var isLocked: Int32 = 0
      var number: UInt32 = 0
      guard ioctl(main, 0x4004_5431, &isLocked) == 0, ioctl(main, 0x8004_5430, &number) == 0 else { return nil }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else { return nil }
      return String(cString: name)
    #endif
  }
}
