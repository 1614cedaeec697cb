import Foundation
import ModelKit

/// Errors as text for standard error: one line that begins with `error:`, and indented lines after it.
enum ErrorMessage {
  /// The text of an error.
  ///
  /// - Parameter store: the store of the error, printed before errors that do not name a store.
  static func text(_ error: any Error, about store: String? = nil) -> String {
    "error: " + lines(error, about: store).map(SpokenText.shown).joined(separator: "\n  ") + "\n"
  }

  /// The text of an error on a single line, for lists of errors.
  static func message(_ error: any Error, about store: String) -> String {
    guard let error = error as? any AdvisedError, !(error is MigrationBlocked) else {
      return lines(error, about: store).joined(separator: ". ")
    }
    let cause = location(place(of: error, about: store)) + error.cause
    return ([cause] + (advice(of: error, about: store).map { [Advice.capitalized($0.text)] } ?? [])).joined(
      separator: ". ")
  }

  /// The text of an error with its location first, as from a compiler, so that editors can open the location.
  static func compilerText(_ error: any Error) -> String {
    guard let (location, words) = (error as? any LocatedError)?.located else { return text(error) }
    return "\(location): error: \(words.split(separator: "\n").joined(separator: "\n  "))\n"
  }

  private static func lines(_ error: any Error, about store: String?) -> [String] {
    let text =
      switch error {
      case let error as MigrationBlocked:
        location(store) + "refused; the store is unchanged\n\(error.text)"
          + (error.failures.isEmpty ? "" : mappingSearch)
          + ((error.jointConsent ?? store.flatMap { consentFile(error, $0) }).map { "\n\($0)" } ?? "")
      case let error as any AdvisedError:
        ([location(place(of: error, about: store)) + error.cause]
          + (advice(of: error, about: store).map { $0.lines.map(\.text) } ?? [])
          + (retirement(of: error).map { [$0] } ?? []))
          .joined(separator: "\n") + (error is InferenceRefusal && store != nil ? mappingSearch : "")
      case is ModelStructureError: location(store) + "\(error)"
      case let error as CocoaError: location(store) + CommonWords.cause(of: error)
      default: "\(error)"
      }
    return text.split(separator: "\n").map(String.init)
  }

  /// The advice of an error, with the store and the options of the command.
  private static func advice(of error: any AdvisedError, about store: String?) -> Advice? {
    let given = GivenOptions.current
    return error.advice?.naming(store: store ?? given.store, given.modelChoiceArguments)
  }

  /// The retirement of the version that wrote a store, or nil if no lock file here records it.
  private static func retirement(of error: any AdvisedError) -> String? {
    guard case MigrationError.unknownVersion(let path) = error, let search = try? Project.here.search() else {
      return nil
    }
    let given = GivenOptions.current.models
    let paths = (given.isEmpty ? [search.project.path] : given).flatMap { search.files(under: $0).bundles }
    guard let reader = try? StoreReader(path: path) else { return nil }
    defer { reader.close() }
    let bundles = paths.compactMap { try? ModelBundle(at: $0) }
    guard let hashes = try? reader.metadata().versionHashes,
      let recorded = RecordedRelease.find(hashes, in: bundles), let retirement = recorded.retirement
    else { return nil }
    return "\(recorded.name) of \(recorded.bundle) wrote this store, and is retired: \(retirement.words)"
  }

  /// The names of folders for the end of a sentence, without the signs `.` and `..`.
  static func folderList(_ folders: [String]) -> String {
    NameList.text(folders.map { ["": "this folder", ".": "this folder", "..": "the folder above"][$0] ?? $0 })
  }

  /// The folders that modelctl searched for a mapping model of the step, on a line of its own.
  private static var mappingSearch: String {
    let given = GivenOptions.current
    guard !given.choosesMappings, let search = try? Project.here.search()
    else { return "" }
    let folders = folderList(search.mappingFolders(near: given.models))
    return "\nmodelctl found no mapping model for this step below \(folders)"
  }

  /// The way to allow many losses; nil for few losses.
  ///
  /// A plan writes the names, and there is no plan as long as a change cannot be inferred.
  static func consentFile(_ blocked: MigrationBlocked, _ store: String) -> String? {
    guard blocked.needsConsentFile, blocked.failures.isEmpty else { return nil }
    let words =
      ShellWord(path: store).text
      + GivenOptions.current.migration
    var given = GivenOptions.current.dataLoss
    let isLockGiven = GivenOptions.current.consent.contains(ConsentOptions.lock)
    let lock = isLockGiven || blocked.unrecordedNames != nil ? " \(LossConsent.lockOption)" : ""
    if !isLockGiven { given += lock }
    let acceptance = blocked.unrecordedNames == nil ? "" : "\(blocked.acceptance). "
    return """
      \(acceptance)To allow all \(blocked.consentNames.count) losses, write \
      \(acceptance.isEmpty ? "their names" : "the other names") to a file: \
      modelctl plan \(words)\(given) --write-losses \(LossConsent.usualFile); delete the names of data that you want to keep, and migrate: \
      modelctl migrate \(words)\(lock) \(LossConsent.option("@\(LossConsent.usualFile)"))
      """
  }

  /// The place of an error; errors of a migration are about the store.
  private static func place(of error: any AdvisedError, about store: String?) -> String? {
    error.place ?? (error is InferenceRefusal || error is MigrationRefusal ? store : nil)
  }

  private static func location(_ store: String?) -> String { store.map { "\($0): " } ?? "" }
}
