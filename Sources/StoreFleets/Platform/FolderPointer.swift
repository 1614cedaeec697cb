import Foundation

#if canImport(Darwin)
  /// The result type of `opendir`.
  typealias FolderPointer = UnsafeMutablePointer<DIR>
#else
  /// The result type of `opendir`.
  typealias FolderPointer = OpaquePointer
#endif
