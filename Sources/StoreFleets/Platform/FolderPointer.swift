import Foundation

#if canImport(Darwin)
  /// What `opendir` gives.
  typealias FolderPointer = UnsafeMutablePointer<DIR>
#else
  /// What `opendir` gives.
  typealias FolderPointer = OpaquePointer
#endif
