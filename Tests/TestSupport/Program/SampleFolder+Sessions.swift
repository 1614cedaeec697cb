import Foundation
import GRDB

extension SampleFolder {
  /// Makes the folder that a recorded session is played in: the sample models, and what a session needs beside them.
  package init(ofSession name: String) throws {
    try self.init()
    // init looks for projects in folders of its own.
    if name != "init" {
      try FileManager.default.copyItem(
        at: Transcript.project.appendingPathComponent(".modelctl.json"),
        to: url.appendingPathComponent(".modelctl.json"))
    }
    if name == "join-names" { try addPeople() }
  }

  /// Adds a model with a many-to-many pair inside one entity, of which two orders give two names in version 2, and a
  /// store of that version whose join table has the name that modelctl would not guess.
  private func addPeople() throws {
    let attributes = [("v1", ["name"]), ("v2", ["name", "age"])]
    for (version, names) in attributes {
      let lines = names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
      let pair = [("followers", "following"), ("following", "followers")].map { name, inverse in
        "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
          + "destinationEntity=\"Person\" inverseName=\"\(inverse)\" inverseEntity=\"Person\"/>"
      }
      try write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Person">
                \((lines + pair).joined(separator: "\n        "))
            </entity>
        </model>

        """, to: "People.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      \t<key>_XCCurrentVersionName</key>
      \t<string>v2.xcdatamodel</string>
      </dict>
      </plist>

      """, to: "People.xcdatamodeld/.xccurrentversion")
    try makeStore("device.sqlite", version: "People@v2", rows: 2)
    let queue = try DatabaseQueue(path: url.appendingPathComponent("device.sqlite").path)
    defer { try? queue.close() }
    try queue.write { database in
      try database.execute(
        sql: "ALTER TABLE Z_1FOLLOWERS RENAME TO Z_1FOLLOWING; INSERT INTO Z_MODELCACHE VALUES (x'00')")
    }
  }
}
