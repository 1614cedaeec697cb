import Foundation
import ModelFiles
import PersistentStores

/// The store that a backup is of.
struct StoreOriginal {
  /// The real path of its file.
  let path: String
  /// The path that was given, which can be a link with the external data beside it.
  let given: String
  /// The version in it, which names the backup; characters that do not belong into a name become `-`.
  let version: String

  /// The first name that a backup gets; with a number behind it each has the same folder of external data.
  var backup: String {
    // The name of a merged model has a part for each of its bundles, and a file's name at most 255 bytes.
    let kept = version.prefix(60).map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
    return "\(path).\(String(kept)).backup"
  }

  var externalData: String { ExternalData.folder(ofStore: given) }
}

/// An original that stays under a name of its own, with second names of its files of external data.
///
/// The files come first, so that no backup lacks one, and a note beside them says which are new as long as the swap is not done:
/// what a crash leaves has either the backup that it belongs to or the note by which the next run removes it.
struct StoreBackup {
  let path: String
  private let files: any FileOperations
  /// The files that were created for it, in this order.
  private var made: [String]
  private let note: String?

  /// Gives a file the first free name of a backup, in a single step with finding out that it is free.
  ///
  /// - Parameters:
  ///   - content: the file, written to the disk.
  ///   - isCopy: true for a copy that SQLite made: a backup with the same content is taken in its place.
  /// - Throws: ``MigrationError/file(path:detail:)``, `StoreError`; nothing is left then.
  init(of original: StoreOriginal, content: String, isCopy: Bool = false, _ files: any FileOperations) throws {
    self.files = files
    let links = ExternalLinks(of: original)
    (made, note) = (try links.make(files), links.notePlace)
    var (name, number) = (original.backup, 2)
    while true {
      do {
        try files.link(content, to: name)
        made.append(name)
        path = name
        return
      } catch {
        if error.code == EEXIST, isCopy, Self.isSame(name, as: content, of: original.path) {
          path = name
          return
        }
        guard error.code == EEXIST, number < 10_000 else {
          Self.remove(made, files)
          throw error.error(path: name, "the backup cannot be created")
        }
        name = "\(original.backup)-\(number)"
        number += 1
      }
    }
  }

  /// Removes the files that were created for it; an existing backup is kept.
  func undo() { Self.remove(made, files) }

  /// Ends the time in which a crash could leave its files without it.
  func settle() { if let note, made.contains(note) { try? files.remove(note) } }

  fileprivate static func remove(_ made: [String], _ files: any FileOperations) {
    for path in made.reversed() { try? files.remove(path) }
  }

  /// True for a file with the content of a copy; what SQLite counts up in the header may differ.
  ///
  /// A second name of the store itself is none: the store is about to be written.
  private static func isSame(_ path: String, as copy: String, of store: String) -> Bool {
    guard let status = FileStatus(path), status.kind == .file, !status.isSameFile(as: FileStatus(store)),
      CloneName.companions.allSatisfy({ FileStatus(path + $0) == nil }),
      let bytes = StoreBytes(path), let others = StoreBytes(copy)
    else { return false }
    // Versions of reading and writing; the change counter; the schema's counter; who wrote last.
    return bytes.equals(others, exceptAt: [18..<20, 24..<28, 40..<44, 92..<100])
  }

  /// Removes what a crash left of backups: second names of the store itself, and files of external data without a backup.
  ///
  /// The caller holds the store.
  static func removeLeftovers(of original: StoreOriginal, _ files: any FileOperations) {
    let place = URL(fileURLWithPath: original.path)
    let (folder, store) = (place.deletingLastPathComponent().path, place.lastPathComponent)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let status = FileStatus(original.path)
    var supports: Set<String> = []
    for name in names where name.hasPrefix("\(store).") && StoreFiles.isBackup(name[...]) {
      let backup = URL(fileURLWithPath: "\(folder)/\(name)")
      if FileStatus(backup.path)?.isSameFile(as: status) == true, (try? files.remove(backup.path)) != nil { continue }
      supports.insert(ExternalData.support(beside: backup).lastPathComponent)
    }
    for name in names where name.hasPrefix(".\(store).") && name.hasSuffix("_SUPPORT") {
      ExternalLinks.removeLeftovers(
        in: "\(folder)/\(name)", of: original, hasBackup: supports.contains(name), files)
    }
  }
}

extension FileStatus {
  fileprivate func isSameFile(as other: FileStatus?) -> Bool {
    other.map { $0.number == number && $0.device == device } ?? false
  }
}

/// Second names of a store's files of external data, in the folder of its backup.
private struct ExternalLinks {
  private let source: String
  private let folder: String
  private let missing: [String]
  /// Files of the same name that are others.
  private let foreign: String?
  /// Names the files until their backup is there.
  let notePlace: String?

  private var support: String { (folder as NSString).deletingLastPathComponent }

  private static let notePrefix = "modelctl-backup-"

  init(of original: StoreOriginal) {
    (source, folder) = (original.externalData, ExternalData.folder(ofStore: original.backup))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: source)) ?? []
    var (missing, foreign): ([String], String?) = ([], nil)
    for name in names.sorted() where UUID(uuidString: name) != nil {
      guard let status = FileStatus("\(source)/\(name)"), status.kind == .file else { continue }
      let place = "\(folder)/\(name)"
      if let other = FileStatus(place) {
        if !other.isSameFile(as: status), !Self.isCopy(place, of: "\(source)/\(name)") { foreign = place }
      } else {
        missing.append(name)
      }
    }
    (self.missing, self.foreign) = (missing, foreign)
    let support = (folder as NSString).deletingLastPathComponent
    notePlace = missing.isEmpty ? nil : "\(support)/\(Self.notePrefix)\(UUID().uuidString)"
  }

  /// Makes them, and brings them and their names to the disk, but for that of the folder itself.
  ///
  /// - Returns: what was made, in this order; nothing is left when it throws.
  func make(_ files: any FileOperations) throws -> [String] {
    var made: [String] = []
    var place = foreign ?? ""
    do throws(FileError) {
      if foreign != nil { throw FileError(code: EEXIST) }
      guard let notePlace else { return [] }
      place = support
      try makeFolder(support, like: (source as NSString).deletingLastPathComponent, &made, files)
      place = notePlace
      made.append(notePlace)
      try files.write(Data(missing.joined(separator: "\n").utf8), to: notePlace)
      try files.synchronize(notePlace)
      try files.synchronize(support)
      place = folder
      try makeFolder(folder, like: source, &made, files)
      for name in missing {
        place = "\(folder)/\(name)"
        try keep("\(source)/\(name)", as: place, files)
        made.append(place)
      }
      place = folder
      try files.synchronize(folder)
      try files.synchronize(support)
      return made
    } catch {
      StoreBackup.remove(made, files)
      throw error.error(path: place, "the external data of the backup cannot be kept")
    }
  }

  private func makeFolder(
    _ path: String, like model: String, _ made: inout [String], _ files: any FileOperations
  ) throws(FileError) {
    if let status = FileStatus(path) {
      // Nothing is put where a link leads.
      guard status.kind == .folder else { throw FileError(code: ENOTDIR) }
      return
    }
    made.append(path)
    try files.createFolder(path, like: model)
  }

  /// Gives a file a second name, or copies it where it can have none.
  private func keep(_ file: String, as place: String, _ files: any FileOperations) throws(FileError) {
    do throws(FileError) {
      try files.link(file, to: place)
    } catch {
      guard [EXDEV, EPERM, EMLINK, ENOTSUP, ENOSYS].contains(error.code) else { throw error }
      do throws(FileError) {
        try copy(file, to: place, files)
      } catch {
        if error.code != EEXIST { try? files.remove(place) }
        throw error
      }
    }
  }

  private func copy(_ file: String, to place: String, _ files: any FileOperations) throws(FileError) {
    guard let handle = FileBytes.handle(file) else { throw FileError(code: EACCES) }
    defer { try? handle.close() }
    try files.write(Data(), to: place, like: file)
    while let piece = try piece(of: handle) { try files.append(piece, to: place) }
    try files.synchronize(place)
  }

  private func piece(of handle: FileHandle) throws(FileError) -> Data? {
    do {
      return try handle.read(upToCount: 1 << 20).flatMap { $0.isEmpty ? nil : $0 }
    } catch {
      throw FileError(code: EIO)
    }
  }

  private static func isCopy(_ path: String, of other: String) -> Bool {
    guard let bytes = StoreBytes(path), let others = StoreBytes(other) else { return false }
    return bytes.equals(others)
  }

  /// Removes the files that a note names, if the backup that they were for is not there and the store has them still.
  static func removeLeftovers(
    in support: String, of original: StoreOriginal, hasBackup: Bool, _ files: any FileOperations
  ) {
    let notes = ((try? FileManager.default.contentsOfDirectory(atPath: support)) ?? []).filter {
      $0.hasPrefix(notePrefix)
    }
    let (folder, source) = ("\(support)/_EXTERNAL_DATA", original.externalData)
    for note in notes.map({ "\(support)/\($0)" }) {
      let text = (try? FileBytes.whole(note)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      for name in text.split(separator: "\n").map(String.init) where !hasBackup && UUID(uuidString: name) != nil {
        if FileStatus("\(source)/\(name)")?.kind == .file { try? files.remove("\(folder)/\(name)") }
      }
      if !hasBackup { try? files.remove(folder) }
      try? files.remove(note)
      if !hasBackup { try? files.remove(support) }
    }
  }
}
