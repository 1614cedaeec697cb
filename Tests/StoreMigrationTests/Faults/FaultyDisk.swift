import CFaultInjection
import Foundation
import GRDBSQLite
import PersistentStores
import StoreMigration
import TestSupport

/// A folder in which an operation goes wrong: those of SQLite, which come through the VFS, and those of the library.
final class FaultyDisk: Sendable {
  private struct State {
    var model: DiskModel
    var count = 0
    var isFull = false
    var isDead = false
    /// The first fault.
    var struck: String?
    /// The node of every open file.
    var nodes: [Int64: Int] = [:]
    /// The files whose first synchronisation writes the folder too, as SQLite's VFS does for journals and logs it made.
    var newJournals: Set<Int64> = []
  }

  /// An operation of the disk.
  enum Operation {
    case read
    /// Needs no room; not an access to content.
    case change
    /// Makes a file, or lets one grow, for which a full disk has no room.
    case growth(bytes: Int)

    var needsRoom: Bool {
      if case .growth = self { true } else { false }
    }
  }

  let folder: String
  let point: FaultPoint
  private let state: Guarded<State>
  private let watch: Guarded<Int64> = Guarded(0)

  /// Takes over a folder, all of which counts as written to the disk.
  init(folder: String, _ point: FaultPoint) throws {
    self.folder = folder
    self.point = point
    state = Guarded(State(model: try DiskModel(folder: folder)))
    let number = try FaultVFS.watch(self)
    watch.withLock { $0 = number }
  }

  /// How many operations there were.
  var count: Int { state.withLock { $0.count } }

  /// The operation that went wrong first.
  var struck: String? { state.withLock { $0.struck } }

  /// Has the folder work again, with what a power cut leaves of it.
  func recover() throws {
    FaultVFS.forget(watch.withLock { $0 })
    guard point.kind.isPowerCut else { return }
    try cutPower()
  }

  private func cutPower() throws {
    var survival = point.kind == .partialPowerCut ? Survival(seed: point.seed) : .none
    let left = state.withLock { $0.model.afterPowerCut(&survival) }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
    for file in left {
      for name in file.names {
        let place = URL(fileURLWithPath: name)
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        if name == file.names[0] {
          try Data(file.bytes).write(to: place)
        } else {
          try FileManager.default.linkItem(atPath: file.names[0], toPath: name)
        }
      }
    }
  }

  /// Whether an operation happens.
  ///
  /// - Returns: nil when it does; else how many bytes of a write are written all the same.
  func denial(of operation: Operation, _ name: @autoclosure () -> String) -> (torn: Int, isFull: Bool)? {
    state.withLock { state in
      state.count += 1
      if state.count == point.operation { state.struck = name() }
      if state.isDead { return (0, false) }
      let isHere = state.count == point.operation
      if isHere, point.kind.endsTheProcess { state.isDead = true }
      if isHere, point.kind == .full { state.isFull = true }
      var torn = 0
      if case .growth(let bytes) = operation { torn = bytes / 2 }
      switch point.kind {
      case .full: return state.isFull && operation.needsRoom ? (torn, true) : nil
      case .error: return isHere ? (0, false) : nil
      // What a dying process was writing is torn, too.
      case .torn, .death, .powerCut, .partialPowerCut: return isHere ? (torn, false) : nil
      }
    }
  }
}

extension FaultyDisk {
  /// The call of SQLite.
  func judge(_ operation: fault_operation) -> fault_verdict {
    guard let denial = denial(of: kind(of: operation), Self.name(operation)) else {
      return fault_verdict(code: SQLITE_OK, torn: 0)
    }
    return fault_verdict(
      code: denial.isFull && operation.kind != fault_operation_open ? SQLITE_FULL : Self.code(operation.kind),
      torn: operation.path == nil ? 0 : Int64(denial.torn))
  }

  private func kind(of operation: fault_operation) -> Operation {
    switch operation.kind {
    case fault_operation_write:
      let end = Int(operation.offset + operation.count)
      let size = state.withLock { state in state.nodes[operation.file].map { state.model.size(of: $0) } ?? 0 }
      return end > size ? .growth(bytes: Int(operation.count)) : .change
    case fault_operation_open:
      let path = operation.path.map { String(cString: $0) }
      let isNew = path.map { path in state.withLock { $0.model.node(path) == nil } } ?? true
      return operation.flags & SQLITE_OPEN_CREATE != 0 && isNew ? .growth(bytes: 0) : .read
    case fault_operation_truncate, fault_operation_sync, fault_operation_delete: return .change
    default: return .read
    }
  }

  private static func name(_ operation: fault_operation) -> String {
    let names = [
      "open", "close", "read", "write", "truncate", "synchronise", "size", "lock", "unlock", "reserved lock", "delete",
      "access", "map", "lock shared", "unmap",
    ]
    let path = operation.path.map { URL(fileURLWithPath: String(cString: $0)).lastPathComponent } ?? "temporary file"
    return "\(names[Int(operation.kind.rawValue)]) \(path)"
  }

  private static func code(_ kind: fault_operation_kind) -> Int32 {
    let extended: Int32 =
      switch kind {
      case fault_operation_open: 0
      case fault_operation_close: 16
      case fault_operation_read: 1
      case fault_operation_write: 3
      case fault_operation_truncate: 6
      case fault_operation_sync: 4
      case fault_operation_size: 7
      case fault_operation_lock: 15
      case fault_operation_unlock: 8
      case fault_operation_reserved_lock: 14
      case fault_operation_delete: 10
      case fault_operation_access: 13
      case fault_operation_shared_map: 21
      case fault_operation_shared_lock: 20
      default: 18
      }
    return extended == 0 ? SQLITE_CANTOPEN : SQLITE_IOERR | extended << 8
  }

  /// The completed call of SQLite.
  func record(_ operation: fault_operation) {
    guard let path = operation.path.map({ String(cString: $0) }), !path.hasSuffix("-shm") else { return }
    state.withLock { state in
      let node = state.nodes[operation.file]
      switch operation.kind {
      case fault_operation_open:
        state.nodes[operation.file] = state.model.open(path)
        let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
        if operation.flags & SQLITE_OPEN_CREATE != 0, operation.flags & journals != 0 {
          state.newJournals.insert(operation.file)
        }
      case fault_operation_write:
        let bytes = UnsafeRawBufferPointer(start: operation.bytes, count: Int(operation.count))
        if let node { state.model.write(bytes, at: Int(operation.offset), to: node) }
      case fault_operation_truncate:
        if let node { state.model.truncate(node, to: Int(operation.offset)) }
      case fault_operation_sync:
        if let node { state.model.synchronize(node) }
        if state.newJournals.remove(operation.file) != nil { state.model.synchronizeNames() }
      case fault_operation_delete:
        state.model.remove(path)
        if operation.flags != 0 { state.model.synchronizeNames() }
      case fault_operation_close:
        state.nodes[operation.file] = nil
        state.newJournals.remove(operation.file)
      default: break
      }
    }
  }
}

extension FaultyDisk: FileOperations {
  func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity {
    var identity: FileIdentity?
    let work = { (files: SystemFiles) throws(FileError) in identity = try files.create(path, like: model) }
    try perform("create", .growth(bytes: 0), work) { _ = $0.open(path) }
    guard let identity else { throw FileError(code: EIO) }
    return identity
  }

  func createFolder(_ path: String, like model: String?) throws(FileError) {
    let work = { (files: SystemFiles) throws(FileError) in try files.createFolder(path, like: model) }
    try perform("folder", .growth(bytes: 0), work) { _ in }
  }

  func write(_ data: Data, to path: String, like model: String?) throws(FileError) {
    if let denial = denial(of: .growth(bytes: data.count), "our write") {
      if denial.torn > 0 { try place(data.prefix(denial.torn), at: path, like: model) }
      throw FileError(code: denial.isFull ? ENOSPC : EIO)
    }
    try place(data, at: path, like: model)
  }

  func append(_ data: Data, to path: String) throws(FileError) {
    let end = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    try perform("append", .growth(bytes: data.count), { files throws(FileError) in try files.append(data, to: path) }) {
      model in
      let node = model.open(path)
      data.withUnsafeBytes { model.write($0, at: end, to: node) }
    }
  }

  private func place(_ data: Data, at path: String, like model: String?) throws(FileError) {
    try SystemFiles().write(data, to: path, like: model)
    state.withLock { state in
      let node = state.model.open(path)
      data.withUnsafeBytes { state.model.write($0, at: 0, to: node) }
    }
  }

  func link(_ path: String, to name: String) throws(FileError) {
    try perform("link", .growth(bytes: 0), { files throws(FileError) in try files.link(path, to: name) }) {
      $0.link(path, to: name)
    }
  }

  func rename(_ path: String, to name: String) throws(FileError) {
    try perform("rename", .change, { files throws(FileError) in try files.rename(path, to: name) }) {
      $0.rename(path, to: name)
    }
  }

  func remove(_ path: String) throws(FileError) {
    try perform("remove", .change, { files throws(FileError) in try files.remove(path) }) { $0.remove(path) }
  }

  func synchronize(_ path: String) throws(FileError) {
    try perform("synchronise \(path)", .change, { files throws(FileError) in try files.synchronize(path) }) { model in
      if let node = model.node(path) { model.synchronize(node) } else { model.synchronizeNames() }
    }
  }

  private func perform(
    _ name: String, _ operation: Operation, _ work: (SystemFiles) throws(FileError) -> Void,
    _ record: (inout DiskModel) -> Void
  ) throws(FileError) {
    if let denial = denial(of: operation, "our \(name)") { throw FileError(code: denial.isFull ? ENOSPC : EIO) }
    try work(SystemFiles())
    state.withLock { record(&$0.model) }
  }
}
