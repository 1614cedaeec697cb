import Foundation
import GRDB
import ModelFiles
import TestSupport
import Testing

/// Compiled models made to cost time or memory, given to the built program in a file and inside a store.
@Suite("Hostile archives end soon", .serialized) struct HostileArchiveTests {
  @Test("A cached model that inflates to a quarter of a gigabyte")
  func deflateBomb() throws {
    let workspace = try SampleFolder()
    try write(cachedModel: Self.deflatedZeros(mebibytes: 256), in: workspace)
    let status = try MeasuredRun.bounded(["status", "shop.sqlite"], in: workspace)
    #expect(status.output.contains("cached model exceeds the limit"), "\(status.output)")
    #expect(try MeasuredRun.bounded(["show", "shop.sqlite"], in: workspace).status == 2)
    _ = try MeasuredRun.bounded(["verify", "shop.sqlite"], in: workspace)
    _ = try MeasuredRun.bounded(["plan", "shop.sqlite"], in: workspace)
  }

  @Test("A keyed archive in which a reference points to its own container", arguments: Circle.allCases)
  func cyclicArchive(_ circle: Circle) throws {
    let workspace = try SampleFolder()
    let archive = Self.cyclicArchive(circle)
    try archive.write(to: workspace.url.appendingPathComponent("Round.mom"))
    for command in [["hash", "Round.mom"], ["show", "Round.mom"], ["diff", "Round.mom", "Orders@v1"]] {
      let run = try MeasuredRun.bounded(command, in: workspace)
      guard circle.isRefused, command[0] != "show" else { continue }
      #expect(run.status == 2, "\(command): \(run.output)")
      #expect(run.output.contains("error: Round.mom: "), "\(command): \(run.output)")
    }
    try write(cachedModel: Self.stored(archive), in: workspace)
    for command in ["status", "show", "verify", "plan"] {
      _ = try MeasuredRun.bounded([command, "shop.sqlite"], in: workspace)
    }
  }

  @Test("A property list in which an array holds itself, or one array many times over")
  func cyclicList() throws {
    let workspace = try SampleFolder()
    // Arrays of 14 references each to the next one, eleven deep: 14 to the power of eleven values.
    let wide = (0..<11).map { [UInt8](repeating: UInt8($0 + 1), count: 14) } + [[]]
    for lists in [[[UInt8(0)]], [[1], [0]], wide] {
      try Self.binaryList(lists).write(to: workspace.url.appendingPathComponent("Round.mom"))
      #expect(try MeasuredRun.bounded(["hash", "Round.mom"], in: workspace).status == 2)
    }
  }

  /// A store of an unknown version, so that its own model is read.
  private func write(cachedModel: Data, in workspace: SampleFolder) throws {
    try? FileManager.default.removeItem(atPath: workspace.folder.path("shop.sqlite"))
    try workspace.makeStore()
    let queue = try DatabaseQueue(path: workspace.folder.path("shop.sqlite"))
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "DELETE FROM Z_MODELCACHE")
      try database.execute(sql: "INSERT INTO Z_MODELCACHE VALUES (?)", arguments: [cachedModel])
    }
    try queue.close()
    try FileManager.default.removeItem(atPath: workspace.folder.path("Models"))
  }
}

extension HostileArchiveTests {
  /// Raw DEFLATE of zeros: a block of fixed codes, a zero, and copies of 258 bytes from one byte before.
  ///
  /// A copy takes 13 bits, so that eight of them take 13 bytes, which repeat.
  static func deflatedZeros(mebibytes: Int) -> Data {
    let eightCopies: [UInt8] = [
      0x18, 0x05, 0xA3, 0x60, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x28,
    ]
    var bytes: [UInt8] = [0x63]
    for _ in 0..<(mebibytes << 20) / (258 * 8) { bytes += eightCopies }
    return Data(bytes)
  }

  /// Raw DEFLATE that holds data as it is.
  static func stored(_ data: Data) -> Data {
    let length = UInt16(truncatingIfNeeded: data.count)
    let sizes = [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return Data([1] + sizes) + data
  }

  /// The archive of a model with a circular reference.
  static func cyclicArchive(_ circle: Circle) -> Data {
    func kind(_ name: String) -> PropertyList {
      .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }
    func dictionary(_ value: UInt64) -> PropertyList {
      .dictionary(["$class": .uid(6), "NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(value)])])
    }
    let (model, entities, entity, properties): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 4, 8)
    let objects: [PropertyList] = [
      .string("$null"),
      .dictionary(["$class": .uid(5), "NSEntities": .uid(circle == .model ? model : entities)]),
      dictionary(circle == .entities ? entities : entity),
      .string("A"),
      .dictionary([
        "$class": .uid(7), "NSEntityName": .uid(circle == .name ? entity : 3), "NSProperties": .uid(properties),
        "NSSuperentity": .uid(circle == .parent ? entity : 0),
      ]),
      kind("NSManagedObjectModel"), kind("NSDictionary"), kind("NSEntityDescription"),
      dictionary(circle == .properties ? properties : circle == .property ? entity : 9),
      .dictionary(["$class": .uid(10), "NSPropertyName": .uid(3), "NSAttributeType": .integer(700)]),
      kind("NSAttributeDescription"),
    ]
    return PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(model)]), "$objects": .array(objects),
    ]).binary
  }

  /// The target of a circular reference.
  enum Circle: CaseIterable {
    case model, entities, name, parent, properties, property

    /// What stands for a name or a property and is none is left out, the property with a note.
    var isRefused: Bool { [.model, .entities, .parent].contains(self) }
  }

  /// A binary property list of nothing but arrays, each given by the numbers of its elements.
  static func binaryList(_ arrays: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for elements in arrays {
      offsets.append(UInt8(bytes.count))
      bytes += [0xA0 | UInt8(elements.count)] + elements
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(arrays.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return Data(bytes)
  }
}
