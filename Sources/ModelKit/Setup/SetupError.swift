/// Why a project is not set up; nothing was written.
public enum SetupError: Error, Hashable, Sendable {
  /// Nothing below the folder has versions to record.
  case noBundle(folder: String)
  /// What was asked for needs a git repository.
  case noRepository(folder: String, service: String)
  /// A file, or a folder for it, cannot be made.
  case unwritable(path: String, reason: String)
  /// The address says not where GitHub Actions finds modelctl.
  case badSource(address: String, reason: String)
}

extension SetupError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .noBundle(let folder):
      "\(folder): no model bundle (.xcdatamodeld, .xcdatamodel) below this folder; run this in the folder of your project"
    case .noRepository(let folder, let service):
      "\(folder): --\(service) needs a git repository; make one with: git init, or leave --\(service) out"
    case .unwritable(let path, let reason):
      "\(path): cannot be written: \(reason); nothing was set up, so run it again once the folder may be written to"
    case .badSource(let address, let reason):
      "--source \(address): \(reason)"
    }
  }
}
