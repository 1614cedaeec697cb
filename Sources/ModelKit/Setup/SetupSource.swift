/// The git repository that CI takes modelctl from.
public struct SetupSource: Hashable, Sendable {
  /// What stands in the job of GitLab until a repository is named.
  static let gitlabExample = "https://gitlab.example.com/OWNER/modelctl.git"

  private let address: String
  private let components: [Substring]

  /// Takes the address of a repository.
  ///
  /// - Parameter address: such as `https://github.com/OWNER/modelctl`, with or without `.git`.
  /// - Throws: ``SetupError/badSource(address:reason:)`` for what is no address of the web.
  public init(_ address: String) throws(SetupError) {
    let isPlain = address.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-:~".utf8.contains(byte)
    }
    components = address.dropFirst("https://".count).split(separator: "/")
    guard address.hasPrefix("https://"), isPlain, components.count >= 3 else {
      throw .badSource(
        address: address, reason: "write the address of a repository, such as https://github.com/OWNER/modelctl")
    }
    self.address = address.hasSuffix(".git") ? String(address.dropLast(4)) : address
  }

  /// A template that names this repository in place of the one to be filled in.
  func filled(_ template: String, for service: SetupService) throws(SetupError) -> String {
    var text = template
    if service == .github {
      guard components.first == "github.com", components.count == 3 else {
        throw .badSource(
          address: address, reason: "GitHub Actions takes modelctl from github.com only; name a repository there")
      }
      text.replace("OWNER/modelctl@", with: "\(address.dropFirst("https://github.com/".count))@")
    }
    text.replace(Self.gitlabExample, with: "\(address).git")
    text.replace("https://github.com/OWNER/modelctl", with: address)
    text.replace(" OWNER is the account that your copy of modelctl belongs to.", with: "")
    text.replace(" OWNER is the account of your copy of modelctl.", with: "")
    text.replace(" MODELCTL_REPOSITORY is your copy of modelctl.", with: "")
    return text
  }
}

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
    case .badSource(let address, let reason): "--source \(address): \(reason)"
    }
  }
}
