import Foundation

/// The folder of the user's in which programs keep what may be lost.
enum CacheFolder {
  /// `XDG_CACHE_HOME`, else what the system calls it; nil where the user has no home.
  static var path: String? {
    let environment = ProcessInfo.processInfo.environment
    if let given = environment["XDG_CACHE_HOME"], given.hasPrefix("/") { return given }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    #if os(macOS)
      return home + "/Library/Caches"
    #else
      return home + "/.cache"
    #endif
  }
}
