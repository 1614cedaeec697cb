import Foundation
import TestSupport

/// The files below a folder as the disk has them, and what was done to them since without being synchronised.
///
/// A name means a node, so that links, renames and removals are changes of names only, as in a file system.
struct DiskModel {
  private enum Change {
    case write([UInt8], at: Int)
    case truncate(to: Int)
  }

  private struct Node {
    var bytes: [UInt8]
    var pending: [Change] = []
  }

  /// A change of names that happens in one step.
  private struct NameChange {
    /// The later meaning of each name; nil for a removed name.
    var names: [String: Int?]
  }

  private static let sector = 512

  private var nodes: [Node] = []
  /// The current meaning of names.
  private var names: [String: Int] = [:]
  /// The meaning of names on the disk.
  private var durableNames: [String: Int?] = [:]
  private var pendingNames: [NameChange] = []

  /// Reads a folder, all of which counts as synchronised.
  init(folder: String) throws {
    var known: [Int: Int] = [:]
    for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
      let path = "\(folder)/\(name)"
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      let number = (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? 0
      if known[number] == nil {
        known[number] = nodes.count
        nodes.append(Node(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
      }
      names[path] = known[number]
    }
    durableNames = names.mapValues { $0 }
  }

  /// The node that a name means, made when there is none.
  mutating func open(_ path: String) -> Int {
    if let node = names[path] { return node }
    nodes.append(Node(bytes: []))
    change([path: nodes.count - 1])
    return nodes.count - 1
  }

  func node(_ path: String) -> Int? { names[path] }

  func size(of node: Int) -> Int {
    nodes[node].pending.reduce(nodes[node].bytes.count) { size, change in
      switch change {
      case .write(let bytes, let offset): max(size, offset + bytes.count)
      case .truncate(let size): size
      }
    }
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, to node: Int) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Self.sector - (offset + start) % Self.sector)
      nodes[node].pending.append(.write(Array(bytes[start..<end]), at: offset + start))
      start = end
    }
  }

  mutating func truncate(_ node: Int, to size: Int) { nodes[node].pending.append(.truncate(to: size)) }

  mutating func synchronize(_ node: Int) {
    nodes[node].bytes = Self.content(nodes[node]) { true }
    nodes[node].pending = []
  }

  mutating func link(_ path: String, to name: String) { change([name: names[path]]) }

  mutating func rename(_ path: String, to name: String) { change([name: names[path], path: nil]) }

  mutating func remove(_ path: String) { change([path: nil]) }

  mutating func synchronizeNames() {
    durableNames = names.mapValues { $0 }
    pendingNames = []
  }

  private mutating func change(_ changes: [String: Int?]) {
    for (name, node) in changes { names[name] = node }
    pendingNames.append(NameChange(names: changes))
  }

  /// What lies in the folder after a power cut.
  ///
  /// - Parameter survival: chooses which of the changes that were not synchronised are there.
  /// - Returns: the content of every file, and all of its names.
  func afterPowerCut(_ survival: inout Survival) -> [(names: [String], bytes: [UInt8])] {
    var left = durableNames
    for change in survival.names(of: pendingNames) { left.merge(change.names) { $1 } }
    var namesOfNodes: [Int: [String]] = [:]
    for (name, node) in left { if let node { namesOfNodes[node, default: []].append(name) } }
    return namesOfNodes.sorted { $0.key < $1.key }.map { node, names in
      (names.sorted(), Self.content(nodes[node]) { survival.keeps() })
    }
  }

  private static func content(_ node: Node, _ isKept: () -> Bool) -> [UInt8] {
    var bytes = node.bytes
    for change in node.pending where isKept() {
      switch change {
      case .write(let piece, let offset):
        let missing = offset + piece.count - bytes.count
        if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
        bytes.replaceSubrange(offset..<offset + piece.count, with: piece)
      case .truncate(let size):
        bytes = Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
      }
    }
    return bytes
  }
}

/// Which of the changes that were not synchronised a power cut leaves.
struct Survival {
  private var generator: SeededGenerator?
  /// The number of 256 changes that are kept.
  private var share: UInt64 = 0
  private var keepsFirstNames = false

  /// None of them.
  static let none = Survival()

  private init() {}

  /// Some of them; a seed gives the same ones again.
  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    share = [32, 128, 224, 256][Int(generator.next() & 3)]
    keepsFirstNames = generator.next() & 1 == 1
    self.generator = generator
  }

  mutating func keeps() -> Bool { (generator?.next()).map { $0 & 255 < share } ?? false }

  /// A file system with a journal keeps the first changes of names; one without may keep any.
  mutating func names<Change>(of changes: [Change]) -> [Change] {
    guard generator != nil else { return [] }
    if keepsFirstNames {
      let count = Int((generator?.next() ?? 0) % UInt64(changes.count + 1))
      return Array(changes.prefix(count))
    }
    return changes.filter { _ in keeps() }
  }
}
