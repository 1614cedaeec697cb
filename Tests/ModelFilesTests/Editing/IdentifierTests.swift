import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("Renaming identifiers are added in place")
struct IdentifierTests {
  @Test("Identifiers are added where Xcode writes them, and every other byte is kept")
  func places() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel">
          <!-- <entity name="NotThis"/> -->
          <entity name="A &amp; B" representedClassName="A" syncable="YES" codeGenerationType="class">
              <attribute name="a" optional="YES" attributeType="String"/>
              <attribute name='b' attributeType="String" elementID=""  versionHashModifier="2" syncable="YES"/>
              <attribute name="c" elementID="old" syncable="YES"/>
              <attribute name="d" renamingIdentifier="older" syncable="YES"/>
              <attribute name="e"
                  syncable="YES"/>
              <relationship name="r" toMany="YES" syncable="YES">
                  <userInfo><entry key="k" value="name"/></userInfo>
              </relationship>
              <fetchedProperty name="f" optional="YES"/>
          </entity>
          <composite name="C"><attribute name="x"/></composite>
          <elements><element name="A" width="1"/></elements>
      </model>
      """
    let (data, given) = try ContentsEditor.addingIdentifiers(
      to: Data(text.utf8), path: "contents", renames: [.property(entity: "A & B", name: "r"): "former \"r\""])
    #expect(
      String(decoding: data, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel">
            <!-- <entity name="NotThis"/> -->
            <entity name="A &amp; B" representedClassName="A" elementID="A &amp; B" syncable="YES" codeGenerationType="class">
                <attribute name="a" optional="YES" attributeType="String" elementID="a"/>
                <attribute name='b' attributeType="String" elementID="b"  versionHashModifier="2" syncable="YES"/>
                <attribute name="c" elementID="old" syncable="YES"/>
                <attribute name="d" renamingIdentifier="older" syncable="YES"/>
                <attribute name="e" elementID="e"
                    syncable="YES"/>
                <relationship name="r" toMany="YES" elementID="former &quot;r&quot;" syncable="YES">
                    <userInfo><entry key="k" value="name"/></userInfo>
                </relationship>
                <fetchedProperty name="f" optional="YES"/>
            </entity>
            <composite name="C"><attribute name="x"/></composite>
            <elements><element name="A" width="1"/></elements>
        </model>
        """)
    #expect(
      given.map { "\($0.element)=\($0.identifier)" } == [
        "A & B=A & B", "A & B.a=a", "A & B.b=b", "A & B.e=e", "A & B.r=former \"r\"",
      ])
  }

  @Test(
    "On the corpus: no hash and no canonical name changes, a second run adds nothing",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var (files, added) = (0, 0)
    let all =
      Corpus.files(in: "models", where: { $0 == "contents" })
      + Corpus.files(in: "models-by-hash", where: { $0.hasSuffix(".contents") })
    let chosen = CorpusSample.of(all, atMost: 25)
    for url in chosen {
      guard let former = try? ContentsReader.read(fileAt: url.path) else { continue }
      let data = try Data(contentsOf: url)
      let (edited, given) = try ContentsEditor.addingIdentifiers(to: data, path: url.path)
      let file = try ContentsReader.read(edited, path: url.path)
      #expect(names(file.model) == names(former.model), "\(url.path)")
      #expect(file.notes.count == former.notes.count)
      #expect(identifiers(file.model).allSatisfy { $0 != nil })
      if let (old, new) = try? (EntityHierarchy(former.model), EntityHierarchy(file.model)) {
        #expect(try VersionHashes(of: new) == VersionHashes(of: old), "\(url.path)")
      }
      #expect(edited.count - data.count == given.reduce(0) { $0 + " elementID=\"\"".utf8.count + size($1, in: data) })
      let again = try ContentsEditor.addingIdentifiers(to: edited, path: url.path)
      #expect(again.given == [] && again.data == edited)
      files += 1
      added += given.count
    }
    let scope = CorpusSample.scope(files, of: all.count)
    print("identifiers: \(added) added to \(scope) models, every hash and canonical name as before")
    #expect(files > CorpusSample.least(400, sampled: chosen.count / 2))
  }

  /// The bytes of an identifier; an empty one that is filled has had all but these before.
  private func size(_ given: ContentsEditor.GivenIdentifier, in data: Data) -> Int {
    given.identifier.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "&") ? 5 : 1) }
  }

  private func names(_ model: ManagedObjectModel) -> [String] {
    model.entities.flatMap { entity in
      ["\(entity.name)=\(entity.canonicalName)"]
        + entity.attributes.map { "\(entity.name).\($0.name)=\($0.canonicalName)" }
        + entity.relationships.map { "\(entity.name).\($0.name)=\($0.canonicalName)" }
    }
  }

  private func identifiers(_ model: ManagedObjectModel) -> [String?] {
    model.entities.flatMap { entity in
      [entity.renamingIdentifier] + entity.attributes.map(\.renamingIdentifier)
        + entity.relationships.map(\.renamingIdentifier)
    }
  }
}
