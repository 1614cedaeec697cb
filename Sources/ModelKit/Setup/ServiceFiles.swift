import Foundation
import ModelDescription
import ModelFiles

/// The files of each service of a project, planned and existing.
struct ServiceFiles {
  let folder: String
  let workTree: GitWorkTree?
  let source: SetupSource?

  /// The files of a service.
  ///
  /// - Throws: ``SetupError/badSource(address:reason:)``, and `ModelFileError` for a file that cannot be read.
  func files(of service: SetupService) throws -> [SetupFile] {
    guard service == .agents else { return [try file(of: service)] }
    let first = try section(of: service, at: place.path(service.path))
    guard let second = service.secondPath.map(place.path), try text(at: second) != nil else { return [first] }
    return [first, try section(of: service, at: second)]
  }

  /// A file that gets a section at its end, unless it has the section.
  private func section(of service: SetupService, at path: String) throws -> SetupFile {
    guard let text = try text(at: path) else {
      return SetupFile(path: path, content: service.template, state: .new, advice: nil)
    }
    if text.contains(service.mark) { return SetupFile(path: path, content: text, state: .present, advice: nil) }
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    guard type == .typeRegular else {
      let advice = "\(path) is a link and is kept; in the folder of its target, run: modelctl init --agents"
      return SetupFile(path: path, content: text, state: .taken, advice: advice)
    }
    let gap = text.isEmpty || text.hasSuffix("\n\n") ? "" : text.hasSuffix("\n") ? "\n" : "\n\n"
    return SetupFile(
      path: path, content: text + gap + service.template, state: .changed, advice: nil, previous: text)
  }

  private func file(of service: SetupService) throws -> SetupFile {
    let content = try self.content(of: service)
    let path = place.path(service.path)
    guard let text = try text(at: path) else {
      return SetupFile(
        path: path, content: content, state: .new, advice: placeholderAdvice(of: service, in: content, at: path))
    }
    if service == .git, let advice = attributeAdvice(content, lackingIn: text, at: path) {
      return SetupFile(path: path, content: content, state: .taken, advice: advice)
    }
    if text.contains(service.mark) || usesElsewhere(service) {
      return SetupFile(
        path: path, content: text, state: .present, advice: placeholderAdvice(of: service, in: text, at: path))
    }
    guard let name = service.includedPath else {
      return SetupFile(path: path, content: content, state: .taken, advice: advice(for: service, path, content))
    }
    let included = place.path(name)
    let add = "\(path) already exists and is kept; add this line to it: include: [{ local: \(name) }]"
    let isThere = try self.text(at: included) != nil
    let fill = isThere ? nil : placeholderAdvice(of: service, in: content, at: included)
    return SetupFile(
      path: included, content: content, state: isThere ? .present : .new,
      advice: [add, fill].compactMap { $0 }.joined(separator: "; "))
  }

  /// The keys of git's configuration for a service.
  func settings(of service: SetupService) throws -> [SetupSetting] {
    guard let workTree else { return [] }
    return try service.settings.map { key, value in
      let present = try workTree.setting(key)
      let state: SetupFile.State = present == nil ? .new : present == value ? .present : .taken
      return SetupSetting(state: state, key: key, value: present ?? value)
    }
  }

  private var place: SetupFolder { SetupFolder(folder: folder, top: workTree?.top) }

  private func content(of service: SetupService) throws -> String {
    var text = try source?.filled(service.template, for: service) ?? service.template
    if service == .github, let branch = workTree?.defaultBranch, branch != "main" {
      let isPlain = branch.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "/._-".utf8.contains(byte)
      }
      let quoted = "'" + branch.replacing("'", with: "''") + "'"
      text.replace("branches: [main]", with: "branches: [\(isPlain ? branch : quoted)]")
    }
    return text
  }

  /// The content of a file; nil if it does not exist.
  private func text(at path: String) throws -> String? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes != nil else { return nil }
    do {
      return String(decoding: try FileBytes.read(path), as: UTF8.self)
    } catch ModelFileError.empty {
      return ""
    }
  }

  /// Whether another workflow uses modelctl.
  private func usesElsewhere(_ service: SetupService) -> Bool {
    guard service == .github else { return false }
    let folder = BundlePath.parent(place.path(service.path))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }.contains { name in
      (try? text(at: BundlePath.joined(folder, name)))??.contains(service.mark) ?? false
    }
  }

  /// The placeholders left to fill in.
  private func placeholderAdvice(of service: SetupService, in content: String, at path: String) -> String? {
    switch service {
    case .gitlab where content.contains(SetupSource.gitlabExample):
      """
      write the address of your copy of modelctl in place of \(SetupSource.gitlabExample) in \(path), or delete the \
      file and run: modelctl init --gitlab --modelctl-url URL
      """
    case .github where content.contains("OWNER/"), .preCommit where content.contains("OWNER/"):
      "write the account of your copy of modelctl in place of OWNER in \(path)"
    default: nil
    }
  }

  /// The command that adds missing lines to a `.gitattributes`; nil if no line is missing.
  private func attributeAdvice(_ content: String, lackingIn text: String, at path: String) -> String? {
    let present = Set(text.split(whereSeparator: \.isNewline).compactMap { $0.split(separator: " ").first })
    let lines = content.split(separator: "\n").filter { line in
      !line.hasPrefix("#") && !(line.split(separator: " ").first.map(present.contains) ?? true)
    }
    guard !lines.isEmpty else { return nil }
    let words = lines.map { "'\($0)'" }.joined(separator: " ")
    return """
      \(path) already exists and is kept; add \(lines.count == 1 ? "this line" : "these lines") to it: \
      printf '%s\\n' \(words) >> \(ShellWord(path: path).text)
      """
  }

  private func advice(for service: SetupService, _ path: String, _ content: String) -> String {
    let kept = "\(path) already exists and is kept"
    switch service {
    case .github, .gitlab:
      return "\(kept); it does not run modelctl, so move it and run init again, or add the steps by hand"
    case .preCommit: return "\(kept); add the hook of modelctl below “repos:”"
    case .git, .agents: return kept
    }
  }
}

/// The folder for the files of a project: the top of its repository, or its own folder if it has no repository.
struct SetupFolder {
  let folder: String
  let top: String?

  /// The path of a file; relative to the current folder if possible.
  func path(_ name: String) -> String {
    guard let top else { return folder == "." ? name : BundlePath.joined(folder, name) }
    let (base, place) = (BundlePath.components(top), BundlePath.components(RealPath.of(folder)))
    guard place.starts(with: base) else { return BundlePath.joined(top, name) }
    let steps = Array(repeating: "..", count: place.count - base.count)
    let start = folder == "." ? [] : [BundlePath.trimmed(folder)]
    return (start + steps + [name]).joined(separator: "/")
  }
}
