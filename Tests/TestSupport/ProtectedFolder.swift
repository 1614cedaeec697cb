public import Foundation

/// A folder with read-only files: by its mode, or, for a superuser, by the file system's own flag.
public struct ProtectedFolder {
  private let folder: URL

  /// Protects the folder and its files.
  public init(_ folder: URL) {
    self.folder = folder
    for name in names { Self.setMode(0o444, folder.appendingPathComponent(name)) }
    Self.setMode(0o555, folder)
    if FileManager.default.isWritableFile(atPath: folder.path) { Self.flag("+i", in: folder, names) }
  }

  /// Makes the folder writable again.
  public func lift() {
    Self.flag("-i", in: folder, names)
    Self.setMode(0o755, folder)
    for name in names { Self.setMode(0o644, folder.appendingPathComponent(name)) }
  }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  /// True when protection works for this user on this file system.
  public static let isPossible: Bool = {
    guard let probe = try? TemporaryFolder() else { return false }
    let protection = ProtectedFolder(probe.url)
    defer { protection.lift() }
    return !FileManager.default.isWritableFile(atPath: probe.url.path)
  }()

  private static func setMode(_ mode: Int, _ url: URL) {
    try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
  }

  private static func flag(_ change: String, in folder: URL, _ names: [String]) {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/chattr") else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
    process.arguments = [change, folder.path] + names.map { folder.appendingPathComponent($0).path }
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
  }
}
