public import Foundation
public import ModelFiles
public import PersistentStores
import VersionHashing

/// The usable versions of the corpus's apps; the bundles of an app are read once a process.
public enum CorpusVersions {
  private static let shelf = Shelf()

  /// The folders of the apps that have models.
  public static let apps: [String] = {
    guard let models else { return [] }
    return (try? FileManager.default.contentsOfDirectory(atPath: models.path).sorted()) ?? []
  }()

  /// The versions of every app.
  public static var all: [LoadedVersion] { apps.flatMap(of) }

  /// The versions of an app, bundle after bundle.
  public static func of(_ app: String) -> [LoadedVersion] { bundles(of: app).flatMap { $0 } }

  /// The versions of the app that a store of the corpus is of.
  public static func beside(_ store: URL) -> [LoadedVersion] {
    of(store.deletingLastPathComponent().lastPathComponent)
  }

  /// Those of them that hold the entities of the store; with the others it would be asked by which edits they differ from it.
  ///
  /// - Parameters:
  ///   - store: the store, in the corpus.
  ///   - reader: what reads it, or a copy of it.
  /// - Returns: the versions.
  /// - Throws: `StoreError`.
  public static func holding(_ store: URL, readBy reader: StoreReader) throws -> [LoadedVersion] {
    let hashes = try reader.metadata().versionHashes
    return beside(store).filter { version in
      hashes.entities.allSatisfy { version.versionHashes.entities[$0.key] == $0.value }
    }
  }

  /// The versions of each bundle of an app.
  public static func bundles(of app: String) -> [[LoadedVersion]] {
    guard let models else { return [] }
    return shelf.book(app).read {
      let bundles = ModelBundle.discover(under: models.appendingPathComponent(app).path)
      return bundles.map { LoadedVersion.load(from: [$0]).versions }
    }
  }

  private static var models: URL? { Corpus.folder?.appendingPathComponent("models") }

  /// The versions that were read, by app.
  private final class Shelf: @unchecked Sendable {
    private let lock = NSLock()
    private var books: [String: Book] = [:]

    func book(_ app: String) -> Book {
      lock.withLock {
        let book = books[app] ?? Book()
        books[app] = book
        return book
      }
    }
  }

  /// The versions of an app; other tasks wait while one reads them.
  private final class Book: @unchecked Sendable {
    private let lock = NSLock()
    private var versions: [[LoadedVersion]]?

    func read(_ body: () -> [[LoadedVersion]]) -> [[LoadedVersion]] {
      lock.withLock {
        let read = versions ?? body()
        versions = read
        return read
      }
    }
  }
}
