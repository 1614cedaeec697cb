import Foundation

/// The two streams of the program: data goes to standard output, everything else to standard error.
enum Console {
  static func standardOutput(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
  static func standardError(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// True when standard error is a terminal that can redraw a line.
  static var canRedraw: Bool {
    isatty(FileHandle.standardError.fileDescriptor) != 0 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }
}
