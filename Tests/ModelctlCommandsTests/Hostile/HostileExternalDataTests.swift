import Foundation
import GRDB
import TestSupport
import Testing

/// Files of external binary data and the rows that name them, both as somebody else would like them to be.
@Suite("External data leads to no other file") struct HostileExternalDataTests {
  private static let name = "0E5F4A64-6C1D-4B3E-8B64-6F0E9A3F2C11"
  private static let folder = ".album_SUPPORT/_EXTERNAL_DATA"

  /// A store of one row whose picture is a reference with this text, beside a file that is nobody's business.
  private func workspace(reference: String = name) throws -> SampleFolder {
    let workspace = try SampleFolder()
    let title = "<attribute name=\"title\" attributeType=\"String\" defaultValueString=\"-\"/>"
    for (version, more) in [("v1", ""), ("v2", title)] {
      try workspace.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" systemVersion="20G80">
          <entity name="Photo">
            <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>\(more)
          </entity>
        </model>
        """, to: "Album.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.makeStore("album.sqlite", version: "Album@v1", rows: 0)
    let queue = try DatabaseQueue(path: workspace.folder.path("album.sqlite"))
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZPICTURE) VALUES (1, 1, 1, ?)",
        arguments: [Data([2] + Array(reference.utf8) + [0])])
      try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
    }
    try queue.close()
    try workspace.write("keep me", to: "precious/\(Self.name)")
    return workspace
  }

  private func link(_ name: String, to destination: String, in workspace: SampleFolder) throws {
    let url = workspace.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination)
  }

  /// Migrates in both ways, and expects that the links, and what they lead to, stay as they are.
  private func expectKept(_ links: [String: String], in workspace: SampleFolder) throws {
    for (number, strategy) in ["--in-place", "--copy"].enumerated() {
      let destination = number == 0 ? "v2" : "v1"
      let result = try workspace.modelctl(
        "migrate", "album.sqlite", strategy, "--no-backup", "--to", destination, "--allow-data-loss", "Photo.title")
      #expect(result.status == 0, "\(strategy): \(result.standardError)")
      for (link, target) in links {
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: workspace.folder.path(link)) == target)
      }
      let folder = workspace.url.appendingPathComponent("precious")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [Self.name])
      #expect(try Data(contentsOf: folder.appendingPathComponent(Self.name)) == Data("keep me".utf8))
    }
  }

  @Test("The folder of external data is a link")
  func linkedFolder() throws {
    let workspace = try workspace()
    try link(Self.folder, to: "../precious", in: workspace)
    #expect(try workspace.modelctl("verify", "album.sqlite").status == 0)
    try expectKept([Self.folder: "../precious"], in: workspace)
  }

  @Test("The folder next to the store is a link")
  func linkedSupport() throws {
    let workspace = try workspace()
    try workspace.write("keep me", to: "precious/_EXTERNAL_DATA")
    try FileManager.default.removeItem(atPath: workspace.folder.path("precious/_EXTERNAL_DATA"))
    try link(".album_SUPPORT", to: "precious", in: workspace)
    let result = try workspace.modelctl("verify", "album.sqlite")
    #expect(result.status == 1 && result.standardOutput.contains("[missing-file]"), "\(result)")
    try expectKept([".album_SUPPORT": "precious"], in: workspace)
  }

  @Test("A link is not a file of external data: it counts as missing, and is not followed")
  func linkedFile() throws {
    let workspace = try workspace()
    try link("\(Self.folder)/\(Self.name)", to: "../../precious/\(Self.name)", in: workspace)
    let result = try workspace.modelctl("verify", "album.sqlite")
    #expect(result.status == 1 && result.standardOutput.contains("[missing-file]"), "\(result)")
    try expectKept(["\(Self.folder)/\(Self.name)": "../../precious/\(Self.name)"], in: workspace)
  }

  /// Each has the length of a UUID.
  static let ways = [
    "../../../precious/0E5F4A64-6C1D-4B3E", "../../../../../../../../../../etc/pw",
    "../../precious/../precious/../preci.", "/etc/passwd/../../etc/passwd/../././",
    "0E5F4A64-6C1D-4B3E-8B64-../../../../",
    "0E5F4A64/6C1D/4B3E/8B64/6F0E9A3F2C11", String(repeating: "\0", count: 36),
  ]

  @Test("A reference that holds a way out of the folder is a value like any other, and is kept", arguments: ways)
  func wayOut(_ reference: String) throws {
    #expect(reference.utf8.count == 36)
    let workspace = try workspace(reference: reference)
    let result = try workspace.modelctl("verify", "album.sqlite")
    #expect(result.status == 0, "\(result)")
    try expectKept([:], in: workspace)
    let queue = try DatabaseQueue(path: workspace.folder.path("album.sqlite"))
    let value = try queue.read { try Data.fetchOne($0, sql: "SELECT ZPICTURE FROM ZPHOTO") }
    try queue.close()
    #expect(value == Data([2] + Array(reference.utf8) + [0]))
  }

  @Test("A reference to a missing file is reported")
  func missing() throws {
    let workspace = try workspace()
    let result = try workspace.modelctl("verify", "album.sqlite")
    #expect(result.status == 1 && result.standardOutput.contains("[missing-file]"), "\(result)")
  }
}
