#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The size of the terminal.
enum TerminalSize {
  /// The columns of the terminal at standard output, or nil if there is no terminal or its size is unknown.
  static var columns: Int? {
    var size = winsize()
    let status = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
