public import ModelDescription

/// The git repository that CI downloads modelctl from.
public struct SetupSource: Hashable, Sendable {
  /// The placeholder in the GitLab job if no repository is given.
  static let gitlabExample = "https://gitlab.example.com/OWNER/modelctl.git"

  private let address: String
  private let components: [Substring]

  /// Creates a source from the address of a repository.
  ///
  /// - Parameter address: such as `https://github.com/OWNER/modelctl`, with or without `.git`.
  /// - Throws: ``SetupError/badSource(address:reason:)`` if it is not an https address of a repository.
  public init(_ address: String) throws(SetupError) {
    let isPlain = address.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-:~".utf8.contains(byte)
    }
    components = address.dropFirst("https://".count).split(separator: "/")
    guard address.hasPrefix("https://"), isPlain, components.count >= 3 else {
      throw .badSource(
        address: address, reason: "not the https address of a repository")
    }
    self.address = address.hasSuffix(".git") ? String(address.dropLast(4)) : address
  }

  /// The template with this repository in place of the placeholder.
  func filled(_ template: String, for service: SetupService) throws(SetupError) -> String {
    var text = template
    if service == .github {
      guard components.first == "github.com", components.count == 3 else {
        throw .badSource(
          address: address, reason: "GitHub Actions downloads modelctl from github.com only")
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

/// The reason why a project is not set up; no file was written.
public enum SetupError: AdvisedError, Hashable {
  /// The folder lacks versions to record.
  case noBundle(folder: String)
  /// The service needs a git repository.
  case noRepository(folder: String, service: String)
  /// A file, or a folder for it, cannot be made.
  case unwritable(path: String, reason: String)
  /// The address is not one that the service can download modelctl from.
  case badSource(address: String, reason: String)

  /// The folder, the file or the address.
  public var place: String? {
    switch self {
    case .noBundle(let folder), .noRepository(let folder, _): folder
    case .unwritable(let path, _): path
    case .badSource(let address, _): address
    }
  }

  /// The cause.
  public var cause: String {
    switch self {
    case .noBundle: "no model bundle (.xcdatamodeld, .xcdatamodel) in this folder or below it"
    case .noRepository(_, let service): "the setup for \(service) needs a git repository"
    case .unwritable(_, let reason): "cannot be written: \(reason)"
    case .badSource(_, let reason): reason
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .noBundle(let folder):
      SwiftDataSources.advice(inFolder: folder) ?? "run this command in the folder of your project"
    case .noRepository(_, let service): "make one: \(run: "git", "init"); or omit: \(option: "--\(service)")"
    case .unwritable: "make the folder writable, then run the command again; it has not set up anything"
    case .badSource:
      "give the address of a repository, such as https://github.com/OWNER/modelctl: \(option: "--modelctl-url", "URL")"
    }
  }
}
