import Foundation

/// The user's folder for caches.
enum CacheFolder {
  /// `XDG_CACHE_HOME`, or else the default folder of the system, or nil if the user has no home folder.
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
