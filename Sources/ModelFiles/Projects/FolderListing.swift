import Foundation
import VersionHashing

/// The names in a folder that may belong to a project: by their form, and folders without tracked files.
struct FolderListing: Sendable {
  struct Name: Sendable {
    enum Kind: UInt8 {
      case file
      case folder
      case link
    }

    let text: String
    let kind: Kind
  }

  private(set) var names: [Name] = []
  /// True for the top of a work tree.
  private(set) var isRepository = false

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - path: its path; a link is not followed.
  ///   - children: the names of the folders in which git tracks something.
  /// - Returns: an empty listing if the folder does not exist or cannot be read.
  static func read(_ path: String, besides children: Set<String> = []) -> FolderListing {
    read(path, in: AT_FDCWD, besides: children)?.listing ?? FolderListing()
  }

  /// A folder at a moment: as long as it has this state, it has the same names.
  fileprivate struct State: Hashable {
    let device: UInt64
    let number: UInt64
    /// The time of its last status change in nanoseconds, which no program can set.
    let changed: Int64

    init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
      #if canImport(Darwin)
        let time = status.st_ctimespec
      #else
        let time = status.st_ctim
      #endif
      changed = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    init(device: UInt64, number: UInt64, changed: Int64) {
      (self.device, self.number, self.changed) = (device, number, changed)
    }
  }

  fileprivate init() {}

  fileprivate init(names: [Name], isRepository: Bool) { (self.names, self.isRepository) = (names, isRepository) }

  private static let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0

  private static func read(
    _ path: UnsafePointer<CChar>, in folder: Int32, besides children: Set<String>
  ) -> (listing: FolderListing, state: State)? {
    let descriptor = openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { closedir(stream) }
    var listing = FolderListing()
    while let entry = readdir(stream) {
      let start = UnsafeRawPointer(entry) + nameOffset
      listing.take(start.assumingMemoryBound(to: CChar.self), Int32(entry.pointee.d_type), descriptor, children)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let state = State(status) else { return nil }
    return (listing, state)
  }

  private mutating func take(_ name: UnsafePointer<CChar>, _ type: Int32, _ folder: Int32, _ children: Set<String>) {
    let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
    guard bytes.first != UInt8(ascii: ".") else {
      if bytes.elementsEqual(".git".utf8) { isRepository = true }
      return
    }
    let role = ProjectFiles.Role(of: bytes)
    var kind = Self.kind(type)
    if role == .other, kind == .file || kind == .link { return }
    if kind == nil {
      var status = stat()
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      kind = isLink ? .link : status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }
    guard let kind, role != .nothing else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    if role == .other, kind != .folder || children.contains(text) { return }
    names.append(Name(text: text, kind: kind))
  }

  /// The kind of a name by the directory entry; nil on file systems without kinds.
  private static func kind(_ type: Int32) -> Name.Kind? {
    switch type {
    case Int32(DT_REG): .file
    case Int32(DT_DIR): .folder
    case Int32(DT_LNK): .link
    default: nil
    }
  }

  /// A record is kept of no fewer folders; to read them takes as long as to read the record.
  private static let fewest = 64

  /// Reads the folders in which git tracks something.
  ///
  /// - Parameter cache: the folder in which what was read is kept: a folder that has not changed since is not read
  ///   again.
  /// - Returns: the listings in the order of the folders; nil for a path that is not a folder now.
  static func read(_ tracked: TrackedPaths, in start: String, cache: String?) -> [FolderListing?] {
    let descriptor = open(start, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let count = min(tracked.folders.count, ProjectFiles.folderLimit)
    // Records that others may write are not believed, and none are written for them.
    let isUsable = cache.map { FolderOwnership($0)?.isOwn ?? true } ?? false
    let place = count < fewest || !isUsable ? nil : cache.map { FolderRecords.place(in: $0, of: start) }
    let records = place.flatMap(FolderRecords.init(at:)) ?? FolderRecords()
    let looks = slices(of: count).concurrentMap { slice in
      slice.map { position in
        tracked.withPath(of: position) { path -> Look in
          var status = stat()
          guard fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0, let state = State(status)
          else { return .none }
          return records.listing(of: state, tracked.folders[position].children).map { .known($0, state) } ?? .unknown
        }
      }
    }.flatMap(\.self)
    let unknown = looks.indices.filter { if case .unknown = looks[$0] { true } else { false } }
    let children = unknown.isEmpty ? [] : tracked.childNames()
    let moment = Int64(Date.now.timeIntervalSince1970 * 1_000_000_000)
    let read = unknown.concurrentMap { position in
      tracked.withPath(of: position) { Self.read($0, in: descriptor, besides: children[position]) }
    }
    var listings = looks.map { if case .known(let listing, _) = $0 { listing } else { nil as FolderListing? } }
    for (position, result) in zip(unknown, read) { listings[position] = result?.listing }
    guard let place else { return listings }
    var kept: [FolderRecords.Record] = []
    for (position, result) in zip(unknown, read) {
      // A clock of three seconds ago may be that of a change to come.
      guard let result, result.state.changed < moment - 3_000_000_000 else { continue }
      kept.append((result.state, tracked.folders[position].children, result.listing))
    }
    guard !kept.isEmpty else { return listings }
    for (position, look) in looks.enumerated() {
      if case .known(let listing, let state) = look {
        kept.append((state, tracked.folders[position].children, listing))
      }
    }
    FolderRecords.write(kept, to: place)
    return listings
  }

  private enum Look {
    case none
    case unknown
    case known(FolderListing, State)
  }

  private static func slices(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: 512).map { $0..<Swift.min($0 + 512, count) }
  }
}

/// Listings of folders in a file, each with the state that the folder had.
///
/// The file is a table of records of equal size, sorted, and the names after it; who cannot read it reads the folders.
private struct FolderRecords {
  typealias Record = (state: FolderListing.State, children: UInt64, listing: FolderListing)

  private static let magic = Array("modelctl folders 2\n\0\0\0\0\0".utf8)
  private static let recordSize = 40
  private var bytes: [UInt8] = []
  private var count = 0

  init() {}

  /// Reads a cache file; nil for other files.
  init?(at path: String) {
    guard let data = try? FileBytes.read(path, limit: 64 << 20), data.starts(with: Self.magic) else { return nil }
    bytes = Array(data)
    guard bytes.count >= Self.magic.count + 8 else { return nil }
    let claimed = number(at: Self.magic.count)
    guard claimed <= (bytes.count - Self.magic.count - 8) / Self.recordSize else { return nil }
    count = Int(claimed)
  }

  static func place(in cache: String, of folder: String) -> String {
    BundlePath.joined(cache, TextDigest.hexadecimal(RealPath.of(folder)))
  }

  /// The cached listing of a folder with a state; nil if there is none.
  func listing(of state: FolderListing.State, _ children: UInt64) -> FolderListing? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if number(at: place(middle) + 8) < state.number { low = middle + 1 } else { high = middle }
    }
    guard low < count else { return nil }
    let place = place(low)
    guard number(at: place) == state.device, number(at: place + 8) == state.number,
      Int64(bitPattern: number(at: place + 16)) == state.changed, number(at: place + 24) == children
    else { return nil }
    return names(number(at: place + 32))
  }

  private func place(_ record: Int) -> Int { Self.magic.count + 8 + record * Self.recordSize }

  private func number(at place: Int) -> UInt64 {
    bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
  }

  /// The names of a record: for each one its kind, its length and its bytes, and a zero at last.
  private func names(_ offset: UInt64) -> FolderListing? {
    guard offset > 0 else { return FolderListing() }
    var names: [FolderListing.Name] = []
    var isRepository = false
    guard var place = Int(exactly: offset) else { return nil }
    while place < bytes.count, bytes[place] != 0 {
      if bytes[place] == 9 {
        isRepository = true
        place += 1
        continue
      }
      guard place + 2 < bytes.count, let kind = FolderListing.Name.Kind(rawValue: bytes[place] - 1) else { return nil }
      let end = place + 2 + Int(bytes[place + 1])
      guard end < bytes.count else { return nil }
      names.append(FolderListing.Name(text: String(decoding: bytes[(place + 2)..<end], as: UTF8.self), kind: kind))
      place = end
    }
    return place < bytes.count ? FolderListing(names: names, isRepository: isRepository) : nil
  }

  /// Writes records; if that fails, folders are read again next time.
  static func write(_ records: [Record], to path: String) {
    // What has a name too long for a byte to say its length is read each time.
    let short = records.filter { $0.listing.names.allSatisfy { $0.text.utf8.count < 256 } }
    let sorted = short.sorted { ($0.state.number, $0.state.device) < ($1.state.number, $1.state.device) }
    var (table, names) = ([UInt8](), [UInt8]())
    let first = magic.count + 8 + sorted.count * recordSize
    func add(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { table += $0 } }
    add(UInt64(sorted.count))
    for record in sorted {
      let isPlain = record.listing.names.isEmpty && !record.listing.isRepository
      let (state, changed) = (record.state, UInt64(bitPattern: record.state.changed))
      for value in [state.device, state.number, changed, record.children] { add(value) }
      add(isPlain ? 0 : UInt64(first + names.count))
      guard !isPlain else { continue }
      if record.listing.isRepository { names.append(9) }
      for name in record.listing.names {
        names += [name.kind.rawValue + 1, UInt8(name.text.utf8.count)]
        names += name.text.utf8
      }
      names.append(0)
    }
    try? FileManager.default.createDirectory(
      atPath: BundlePath.parent(path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? Data(magic + table + names).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

extension TrackedPaths {
  /// Hands the path of a folder to the system, from the start.
  fileprivate func withPath<Result>(of position: Int, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    names.withUnsafeBytes { bytes in
      let path = UnsafeRawBufferPointer(rebasing: bytes[folders[position].offset...])
      return path.withMemoryRebound(to: CChar.self) { $0.baseAddress.map(body) ?? body("") }
    }
  }
}
