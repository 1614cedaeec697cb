import CSQLiteConnection
import Foundation
import GRDBSQLite
import ModelFiles

/// The other stores that may use files in a store's folder of external data.
///
/// Every deletion of such a file checks this first.
///
/// A copy next to the store whose name differs only in the extension has the same folder. A backup that is renamed to
/// the store's name looks for its files there.
package struct ExternalFileOwners {
  /// The folders of external data of backups next to the store that have their own folder.
  private let backupFolders: [String]
  /// The files whose rows are searched: copies, backups without a folder, and files with other names.
  private let neighbours: [Neighbour]

  private struct Neighbour {
    let path: String
    /// True for a file with another name and without its own folder, such as the renamed store; it may not be a store.
    let isStranger: Bool
  }

  /// Finds the files next to a store.
  package init(ofStore path: String) {
    let real = RealPath.of(path)
    let place = ExternalData.folder(ofStore: path)
    let support = URL(fileURLWithPath: place).deletingLastPathComponent()
    let stem = support.lastPathComponent.dropFirst().dropLast("_SUPPORT".count)
    var (backupFolders, neighbours): ([String], [Neighbour]) = ([], [])
    var seen: Set<FileIdentity?> = [FileIdentity(path: real)]
    for folder in Set([support, URL(fileURLWithPath: real)].map { $0.deletingLastPathComponent().path }) {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        let file = URL(fileURLWithPath: "\(folder)/\(name)")
        let isBackup = StoreFiles.isBackup(name[...]) && name.hasPrefix("\(stem).")
        let isCompanion = ["-wal", "-shm", "-journal"].contains(where: name.hasSuffix)
        let own = ExternalData.folder(ofStore: file.path)
        let hasOwn = own != place && FileStatus(own)?.kind == .folder
        let isStranger =
          !isBackup && ExternalData.support(beside: file).lastPathComponent != support.lastPathComponent
        guard !isCompanion, !(isStranger && hasOwn), let real = RealPath.existing(file.path),
          FileStatus(real)?.kind == .file, seen.insert(FileIdentity(path: real)).inserted
        else { continue }
        if isBackup, hasOwn {
          backupFolders.append(own)
        } else {
          neighbours.append(Neighbour(path: real, isStranger: isStranger))
        }
      }
    }
    self.backupFolders = Array(Set(backupFolders))
    self.neighbours = neighbours
  }

  /// The files that backups have in their own folder.
  ///
  /// They belong to the backups while these exist next to the store.
  package func heldByBackups(_ names: some Sequence<String>) -> Set<String> {
    guard !backupFolders.isEmpty else { return [] }
    return Set(names.filter { name in backupFolders.contains { FileStatus("\($0)/\(name)") != nil } })
  }

  /// The files whose names are in a copy or a backup next to the store.
  ///
  /// The bytes are searched and not the rows, which may not be readable. If the bytes are not readable either, all
  /// names count. A file with a different name counts if it is a database without its own folder.
  package func namedByNeighbours(_ names: Set<String>) -> Set<String> {
    guard !neighbours.isEmpty else { return [] }
    var search = NameSearch(names)
    for neighbour in neighbours {
      let file = neighbour.path
      if neighbour.isStranger, StoreBytes(file)?.isDatabase != true { continue }
      // Pages wander from the log or the journal into the file, never back.
      for suffix in ["-wal", "-journal", ""] where FileStatus(file + suffix) != nil || suffix.isEmpty {
        guard !search.rest.isEmpty else { return names }
        guard let bytes = StoreBytes(file + suffix) else { return names }
        guard bytes.forEachPiece({ search.look(through: $0) }) else { return names }
      }
    }
    return names.subtracting(search.rest)
  }

  /// Searches bytes for the names of files.
  ///
  /// Two pages can share a name, so each half of the name is searched for.
  private struct NameSearch {
    private(set) var rest: Set<String>
    private var halves: [String: [String]] = [:]
    private static let length = 18

    /// Only names in Core Data's format can be searched for; any other name is assumed to be present.
    init(_ names: Set<String>) {
      rest = names.filter { $0.utf8.count == 2 * Self.length }
      for name in rest {
        halves[String(name.prefix(Self.length)), default: []].append(name)
        halves[String(name.suffix(Self.length)), default: []].append(name)
      }
    }

    /// A first half, such as 01234567-89AB-CDEF, and a second, such as -0123-456789ABCDEF, both have two dashes five bytes apart.
    mutating func look(through bytes: UnsafeRawBufferPointer) {
      guard let base = bytes.baseAddress else { return }
      var place = 0
      while place + 5 < bytes.count, let dash = memchr(base + place, 0x2D, bytes.count - 5 - place) {
        let position = UnsafeRawPointer(dash) - base
        place = position + 1
        guard bytes[position + 5] == 0x2D else { continue }
        for start in [position - 8, position] where start >= 0 && start + Self.length <= bytes.count {
          let half = String(decoding: bytes[start..<start + Self.length], as: UTF8.self)
          if let names = halves[half] { rest.subtract(names) }
        }
      }
    }
  }
}

/// The bytes of a file, read by SQLite.
///
/// Closing another file descriptor would drop the locks that this process has on a store.
package final class StoreBytes {
  private var connection: OpaquePointer?
  package let size: Int64

  private static let pieceLength = 1 << 16
  /// The number of bytes that two pieces share, so that no name is cut between them.
  private static let overlap = 64

  /// Opens a file; nil when it cannot be read.
  ///
  /// - Parameter path: the absolute path, links followed.
  package init?(_ path: String) {
    guard let status = FileStatus(path), status.kind == .file else { return nil }
    size = status.size
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
      sqlite3_close(connection)
      return nil
    }
  }

  deinit { sqlite3_close(connection) }

  /// True if the file begins as each SQLite file does.
  var isDatabase: Bool {
    var head = [UInt8](repeating: 0, count: DatabaseHeader.magic.count)
    return head.withUnsafeMutableBytes { read(into: $0, at: 0) } && head == DatabaseHeader.magic
  }

  /// Reads bytes at an offset, with zeros after the end; returns false if they cannot be read.
  private func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    modelctl_read_file(connection, bytes.baseAddress, Int32(bytes.count), offset) == SQLITE_OK
  }

  /// Goes through the file; false when it cannot be read to its end.
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceLength, alignment: 4096)
    defer { piece.deallocate() }
    for offset in stride(from: 0, to: size, by: Self.pieceLength - Self.overlap) {
      guard read(into: piece, at: offset) else { return false }
      body(UnsafeRawBufferPointer(rebasing: piece[..<Int(min(Int64(piece.count), size - offset))]))
    }
    return true
  }

  /// True if a different file has the same bytes.
  ///
  /// - Parameter blanks: ranges in the first piece that may differ.
  package func equals(_ other: StoreBytes, exceptAt blanks: [Range<Int>] = []) -> Bool {
    guard size == other.size else { return false }
    let length = Self.pieceLength
    let pieces = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * length, alignment: 4096)
    defer { pieces.deallocate() }
    let halves = [pieces[..<length], pieces[length...]].map(UnsafeMutableRawBufferPointer.init(rebasing:))
    for offset in stride(from: 0, to: size, by: length) {
      guard read(into: halves[0], at: offset), other.read(into: halves[1], at: offset) else { return false }
      if offset == 0 {
        for half in halves { for place in blanks.joined() { half[place] = 0 } }
      }
      guard let first = halves[0].baseAddress, let second = halves[1].baseAddress, memcmp(first, second, length) == 0
      else { return false }
    }
    return true
  }
}
