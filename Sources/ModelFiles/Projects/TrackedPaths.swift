import Foundation

/// The folders with tracked files, and the tracked files of a project, by git's index.
///
/// Files in hidden folders and in bundles are excluded.
struct TrackedPaths: Sendable {
  struct Folder: Sendable {
    /// The offset of its path in ``names``; the path is relative to the start, without a final slash.
    let offset: Int
    /// The position of the folder that it is in; itself for the first, which is the start.
    let parent: Int
    /// A digest of the names of its folders, in whatever order.
    var children: UInt64 = 0
  }

  /// The folders, each after the one that it is in.
  private(set) var folders = [Folder(offset: 0, parent: 0)]
  /// The paths of the folders, a zero after each.
  private(set) var names: [UInt8] = [UInt8(ascii: "."), 0]
  /// The paths of what may be of interest.
  private(set) var items: Set<String> = []

  /// The folder to which paths were added last, with a slash at its end, and the folders that it is in.
  private var current: [UInt8] = []
  private var stack = [(length: 0, folder: 0)]
  /// The folder that is passed over, with a slash at its end.
  private var closed: [UInt8] = []

  /// Reads what git tracks below a folder.
  ///
  /// - Returns: only the folder itself where neither the index nor git can be read.
  static func read(below folder: String, in top: [String]) -> TrackedPaths {
    if GitEnvironment.isPlain, let repository = GitEnvironment.directory(of: "/" + top.joined(separator: "/")) {
      let path = BundlePath.joined(repository, "index")
      guard FileManager.default.fileExists(atPath: path) else { return TrackedPaths() }
      let place = AbsolutePath.components(folder).dropFirst(top.count).map { $0 + "/" }.joined()
      if let bytes = try? FileBytes.read(path, limit: GitIndex.limit),
        let paths = GitIndex.paths(in: bytes, below: Array(place.utf8))
      {
        return paths
      }
    }
    var paths = TrackedPaths()
    guard let answer = try? GitCommand(folder: folder).run(["ls-files", "-z"]), answer.isSuccess else { return paths }
    answer.output.withUnsafeBytes { bytes in
      for path in bytes.split(separator: 0) { paths.add(UnsafeRawBufferPointer(rebasing: path), isFolder: false) }
    }
    return paths
  }

  /// Takes a path; those of a single folder follow each other.
  mutating func add(_ path: UnsafeRawBufferPointer, isFolder: Bool) {
    if !closed.isEmpty {
      if path.starts(with: closed) { return }
      closed.removeAll(keepingCapacity: true)
    }
    while let top = stack.last, top.length > 0, !path.starts(with: current[..<top.length]) { stack.removeLast() }
    var start = stack.last?.length ?? 0
    while let end = path[start...].firstIndex(of: UInt8(ascii: "/")) {
      guard open(path, start..<end) else { return }
      start = end + 1
    }
    guard start < path.count else { return }
    if isFolder {
      _ = open(path, start..<path.count)
    } else if path[start] != UInt8(ascii: "."),
      ProjectFiles.Role(of: UnsafeRawBufferPointer(rebasing: path[start...])) != .other
    {
      items.insert(String(decoding: path, as: UTF8.self))
    }
  }

  /// Goes into a folder that is looked into; false for another.
  private mutating func open(_ path: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    let name = UnsafeRawBufferPointer(rebasing: path[range])
    let isHidden = name.isEmpty || name.first == UInt8(ascii: ".")
    guard !isHidden, ProjectFiles.Role(of: name) == .other else {
      if !isHidden { items.insert(String(decoding: path[..<range.upperBound], as: UTF8.self)) }
      closed += path[..<range.upperBound]
      closed.append(UInt8(ascii: "/"))
      return false
    }
    let parent = stack.last?.folder ?? 0
    folders[parent].children &+= Self.digest(name)
    stack.append((range.upperBound + 1, folders.count))
    folders.append(Folder(offset: names.count, parent: parent))
    names += path[..<range.upperBound]
    names.append(0)
    current.removeSubrange(range.lowerBound...)
    current += path[range]
    current.append(UInt8(ascii: "/"))
    return true
  }

  private static func digest(_ name: UnsafeRawBufferPointer) -> UInt64 {
    name.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The path of a folder from the start, empty for the start.
  func path(of position: Int) -> String {
    guard position > 0 else { return "" }
    let offset = folders[position].offset
    return String(decoding: names[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }

  func childNames() -> [Set<String>] {
    var children = [Set<String>](repeating: [], count: folders.count)
    for position in folders.indices.dropFirst() {
      children[folders[position].parent].insert(BundlePath.lastComponent(path(of: position)))
    }
    return children
  }
}

/// The index of git in its forms 2 to 4: which paths a work tree's next commit has.
///
/// Source: `Documentation/gitformat-index.txt` of git. What has parts elsewhere or of an unknown kind only git reads.
private enum GitIndex {
  /// The most bytes that are read, which are those of four million files.
  static let limit = 512 << 20

  /// The most bytes of a path that a file system takes.
  private static let pathLimit = 4096

  /// The paths below a folder, which is given with a final slash; nil if the index is incomplete.
  ///
  /// An index with a path that no work tree can have has no paths.
  static func paths(in bytes: Data, below folder: [UInt8]) -> TrackedPaths? {
    bytes.withUnsafeBytes { buffer in
      // Hashes are SHA-1, or SHA-256 as the repository's configuration says.
      [20, 32].lazy.compactMap { Reader(bytes: buffer, hashLength: $0, folder: folder)?.paths() }.first
    }
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    let hashLength: Int
    let folder: [UInt8]
    private let version: UInt32
    private let count: UInt32
    private var position = 12
    private var found = TrackedPaths()

    init?(bytes: UnsafeRawBufferPointer, hashLength: Int, folder: [UInt8]) {
      (self.bytes, self.hashLength, self.folder) = (bytes, hashLength, folder)
      guard bytes.count >= 12 + hashLength, bytes.starts(with: "DIRC".utf8) else { return nil }
      version = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      count = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      guard (2...4).contains(version) else { return nil }
    }

    private var end: Int { bytes.count - hashLength }

    consuming func paths() -> TrackedPaths? {
      var whole: [UInt8] = []
      for _ in 0..<count {
        let head = position
        guard let mode = number(at: head + 24), head + 42 + hashLength <= end else { return nil }
        let high = bytes[head + 40 + hashLength]
        let length = Int(high & 0xF) << 8 | Int(bytes[head + 41 + hashLength])
        var start = head + 42 + hashLength
        if high & 0x40 != 0 { start += 2 }
        guard start < end else { return nil }
        // A folder that is tracked as one is a repository of its own, or outside of what is checked out.
        let isFolder = mode & 0xF000 == 0xE000 || mode & 0xF000 == 0x4000
        if version == 4 {
          position = start
          guard let dropped = offset(), dropped <= whole.count, let last = zero(from: position) else { return nil }
          whole.removeLast(dropped)
          guard whole.count + last - position <= GitIndex.pathLimit else { return TrackedPaths() }
          whole += bytes[position..<last]
          position = last + 1
          guard length == min(whole.count, 0xFFF) else { return nil }
          whole.withUnsafeBytes { take($0, isFolder) }
        } else {
          guard let last = length < 0xFFF ? start + length : zero(from: start), last < end, bytes[last] == 0
          else { return nil }
          guard last - start <= GitIndex.pathLimit else { return TrackedPaths() }
          take(UnsafeRawBufferPointer(rebasing: bytes[start..<last]), isFolder)
          position = head + (last - head + 8) / 8 * 8
        }
      }
      return hasKnownExtensions() ? found : nil
    }

    private mutating func take(_ path: UnsafeRawBufferPointer, _ isFolder: Bool) {
      guard path.starts(with: folder) else { return }
      found.add(UnsafeRawBufferPointer(rebasing: path[folder.count...]), isFolder: isFolder)
    }

    /// True if only optional extensions follow.
    private func hasKnownExtensions() -> Bool {
      var place = position
      while place < end {
        guard place + 8 <= end, let size = number(at: place + 4) else { return false }
        let isOptional = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[place])
        guard isOptional || bytes[place...].starts(with: "sdir".utf8) else { return false }
        place += 8 + Int(size)
      }
      return place == end
    }

    private func number(at place: Int) -> UInt32? {
      guard place + 4 <= end else { return nil }
      return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    private func zero(from place: Int) -> Int? { bytes[place..<end].firstIndex(of: 0) }

    /// The number of bytes at the end of the previous path that the next path replaces.
    private mutating func offset() -> Int? {
      var value = 0
      while position < end {
        let byte = bytes[position]
        position += 1
        value += Int(byte & 0x7F)
        guard byte & 0x80 != 0 else { return value }
        value = (value + 1) << 7
        guard value < 1 << 40 else { return nil }
      }
      return nil
    }
  }
}
