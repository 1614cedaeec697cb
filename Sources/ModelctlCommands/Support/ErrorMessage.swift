import Foundation
import ModelKit

/// Errors as standard error shows them: one line that begins with `error:`, what follows indented.
enum ErrorMessage {
  /// Puts an error into words.
  ///
  /// - Parameter store: the store it is about, put in front of errors that name none themselves.
  static func text(_ error: any Error, about store: String? = nil) -> String {
    "error: " + lines(error, about: store).joined(separator: "\n  ") + "\n"
  }

  /// Puts an error into words on one line, where many may follow each other.
  static func message(_ error: any Error, about store: String) -> String {
    lines(error, about: store).joined(separator: ". ")
  }

  /// Puts an error into words with its location first, as compilers do, so that editors lead there.
  static func compilerText(_ error: any Error) -> String {
    guard let (location, words) = (error as? any LocatedError)?.located else { return text(error) }
    return "\(location): error: \(words.split(separator: "\n").joined(separator: "\n  "))\n"
  }

  private static func lines(_ error: any Error, about store: String?) -> [String] {
    if let error = error as? any AdvisedError, next(error).isEmpty {
      let words = (error.place.map { "\($0): " } ?? "") + error.cause
      return words.split(separator: "\n").map(String.init) + (error.advice.map(lines) ?? [])
    }
    let words =
      switch error {
      case let error as MigrationBlocked:
        place(store) + "refused, the store is as it was\n\(error)"
          + (error.failures.isEmpty ? "" : mappingSearch)
          + ((error.jointConsent ?? store.flatMap { consentFile(error, $0) }).map { "\n\($0)" } ?? "")
      case is InferenceRefusal: place(store) + "\(error)\(store == nil ? "" : mappingSearch)"
      case is MigrationRefusal, is ModelStructureError: place(store) + "\(error)"
      case MigrationError.unknownVersion(let path): "\(error)" + (retirement(ofStoreAt: path).map { "\n\($0)" } ?? "")
      case WorkspaceError.noPath: "\(error)\(Invocation.current.options(Invocation.models))"
      case let error as CocoaError: place(store) + error.localizedDescription
      default: "\(error)"
      }
    let path = store.map { "\(ShellWord(path: $0).text)\(Invocation.current.options(["--model"]))" }
    return ([words] + next(error).compactMap { next in path.map { "\(next) \($0)" } })
      .flatMap { $0.split(separator: "\n").map(String.init) }
  }

  /// A remedy with each command on a line of its own.
  private static func lines(_ advice: Advice) -> [String] {
    var lines: [String] = []
    var line = ""
    for part in advice.parts {
      switch part {
      case .words(let words): line += words
      case .option(let name, let value): line += value.map { "\(name) \(ShellWord($0).text)" } ?? name
      case .command(let command):
        lines += [capitalized(line), "  \(command.text)"]
        line = ""
      }
    }
    return (lines + [capitalized(line)]).filter { !$0.isEmpty }
  }

  /// A part of a sentence as a line: without the signs that joined it to the part before.
  private static func capitalized(_ line: String) -> String {
    let words = line.drop { "; ,.".contains($0) }
    let text = words.last == " " ? words.dropLast() : words
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// When and why the support of the version that wrote a store ended; nil where no lock file here says so.
  private static func retirement(ofStoreAt path: String) -> String? {
    guard let search = try? Project.here.search() else { return nil }
    let given = Invocation.current.values(of: "--model")
    let paths = (given.isEmpty ? [search.project.path] : given).flatMap { search.files(under: $0).bundles }
    guard let reader = try? StoreReader(path: path) else { return nil }
    defer { reader.close() }
    let bundles = paths.compactMap { try? ModelBundle(at: $0) }
    guard let hashes = try? reader.metadata().versionHashes,
      let recorded = RecordedRelease.find(hashes, in: bundles), let retirement = recorded.retirement
    else { return nil }
    return "\(recorded.name) of \(recorded.bundle) wrote it, which is retired: \(retirement.words)"
  }

  /// Where a mapping model that would do the step was looked for, in a line of its own.
  private static var mappingSearch: String {
    let given = Invocation.current
    guard given.values(of: "--mapping").isEmpty, !given.has("--no-mappings"), let search = try? Project.here.search()
    else { return "" }
    let folders = NameList.text(search.mappingFolders(near: given.values(of: "--model")))
    return "\nNo mapping model that does this step was found below \(folders)"
  }

  /// The beginnings of the commands that help, where a library's error is about a store.
  private static func next(_ error: any Error) -> [String] {
    switch error {
    case MigrationRefusal.schemaDiffers:
      [
        "Make what never had a row, and see the rest, with: modelctl verify --repair",
        "or make a new store of what can be read with: modelctl rescue",
      ]
    case MigrationRefusal.foreignEntityNumbers: ["See every difference with: modelctl verify"]
    case MigrationError.verificationFailed: ["See whether the store was sound before with: modelctl verify"]
    case MigrationError.unknownVersion: ["See the nearest version with: modelctl status"]
    default: []
    }
  }

  /// How to consent to many losses, nil for few.
  ///
  /// Names are written by a plan, and there is none while something cannot be inferred: that is lifted first.
  static func consentFile(_ blocked: MigrationBlocked, _ store: String) -> String? {
    guard blocked.needsConsentFile, blocked.failures.isEmpty else { return nil }
    let words =
      ShellWord(path: store).text
      + Invocation.current.options(Invocation.migration, flags: Invocation.migrationFlags)
    var given = Invocation.current.options(["--allow-data-loss"])
    let isLockGiven = Invocation.current.values(of: "--allow-data-loss").contains(ConsentOptions.lock)
    let lock = isLockGiven || blocked.unrecordedNames != nil ? " \(LossConsent.lockOption)" : ""
    if !isLockGiven { given += lock }
    let acceptance = blocked.unrecordedNames == nil ? "" : "\(blocked.acceptance). "
    return """
      \(acceptance)To consent to all \(blocked.consentNames.count) losses, write \
      \(acceptance.isEmpty ? "their names" : "the names of the others") into a file with: \
      modelctl plan \(words)\(given) --losses \(LossConsent.usualFile); take out what is not meant, and migrate with: \
      modelctl migrate \(words)\(lock) \(LossConsent.option("@\(LossConsent.usualFile)"))
      """
  }

  private static func place(_ store: String?) -> String { store.map { "\($0): " } ?? "" }
}
