#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What the system knows of a terminal.
enum TerminalSize {
  /// The columns of standard output's terminal, nil when it is none or does not tell.
  static var columns: Int? {
    var size = winsize()
    let status = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
