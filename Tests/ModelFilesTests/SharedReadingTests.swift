import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Files that are read together share the entities whose text is the same, and every one is read as if it was alone.
struct SharedReadingTests {
  /// Reads texts together and each alone; gives the files.
  @discardableResult
  private func same(
    _ texts: [Data], with cache: EntityTextCache = EntityTextCache(), _ comment: Comment
  ) -> [Result<ModelFile, ModelFileError>] {
    let hashes = EntityHashCache()
    return texts.enumerated().map { number, text in
      func result(_ read: () throws(ModelFileError) -> ModelFile) -> Result<ModelFile, ModelFileError> {
        do throws(ModelFileError) { return .success(try read()) } catch { return .failure(error) }
      }
      let alone = result { () throws(ModelFileError) in try ContentsReader.read(text, path: "v\(number)") }
      let shared = result { () throws(ModelFileError) in
        try ContentsReader.read(text, path: "v\(number)", sharing: cache)
      }
      #expect(shared == alone, comment)
      if case .success(let file) = alone, case .success(let other) = shared {
        for (element, location) in file.locations.all { #expect(other.locations[element] == location, comment) }
        if let hierarchy = try? EntityHierarchy(other.model) {
          let known = try? VersionHashes(of: hierarchy, sharing: hashes)
          #expect(known == (try? VersionHashes(of: file.model)), comment)
        }
      }
      return shared
    }
  }

  /// How many entities of the second file are not copies of the first's, but the same.
  private func shared(_ first: ModelFile, _ second: ModelFile) -> Int {
    func place(_ entity: EntityDescription) -> UnsafeRawPointer? {
      entity.attributes.isEmpty ? nil : entity.attributes.withUnsafeBytes { $0.baseAddress }
    }
    let places = Set(first.model.entities.compactMap(place))
    return second.model.entities.count { place($0).map { places.contains($0) } ?? false }
  }

  private static let entities = [
    "<entity name=\"A\">\n    <attribute name=\"é\"/> <attribute name=\"é\" odd=\"1\"/>\n  </entity>",
    "<entity name=\"B\"><attribute name=\"b\"/><uniquenessConstraints/></entity>",
    "<entity\n name=\"C\" >\r\n<attribute name='c' regularExpressionString='a > b'/><entity name=\"N\"><entity/></entity>\n</entity >",
  ]

  @Test func entitiesAreSharedWhereverTheyStand() throws {
    let (a, b, c) = (Self.entities[0], Self.entities[1], Self.entities[2])
    let texts = [
      "<?xml version=\"1.0\"?>\n<model>\n  \(a)\n  \(b)\(c)\n<configuration name=\"K\"/></model>",
      "<model>\(c)é\(b) <odd/>\(a)<composite name=\"T\"/></model>",
      "<model>\n\n<fetchRequest name=\"F\"/>é\(b)\(a)<entity name=\"D\"/>\(c)</model>\n",
    ]
    let files = try same(texts.map { Data($0.utf8) }, "").map { try $0.get() }
    for file in files.dropFirst() { #expect(shared(files[0], file) == 3) }
    #expect(files[1].locations[.property(entity: "A", name: "é")]?.line == 5)
    #expect(files[1].notes.contains { $0.sentence.contains("odd=") && $0.location.line == 5 })
    #expect(files[1].redeclarations.map(\.element) == [.property(entity: "A", name: "é")])
  }

  @Test func entitiesOfOneNameAreDeclaredOneByOne() throws {
    let (a, b) = (Self.entities[0], "<entity name=\"A\"><attribute name=\"é\"/><attribute name=\"z\"/></entity>")
    let texts = ["<model>\(a)\(b)</model>", "<model>\n\(b)\n\(a)\(b)\(a)</model>", "<model>\(b)</model>"]
    let files = try same(texts.map { Data($0.utf8) }, "").map { try $0.get() }
    #expect(shared(files[0], files[1]) == 4)
    #expect(files[1].redeclarations.count { $0.element == .entity("A") } == 3)
    #expect(files[1].locations[.property(entity: "A", name: "z")]?.line == 2)
  }

  @Test(arguments: [
    "<model xmlns:x=\"u\">A</model>", "<model><!-- A -->A</model>", "<model><![CDATA[A]]>A</model>",
    "<model><?x A?>A</model>", "<model><odd>A</odd>A</model>", "<odd>A</odd>", "<!DOCTYPE model><model>A</model>",
    "\u{FEFF}<model>A</model>", "<model>A", "A", "<model><odd a=\"A\"/>A</model>",
    "<model><x:entity name=\"A\"/>A</model>",
    "<model>A<entity/></model>", "<model>A<entity name=\"B\"></model>",
    "<?xml version=\"1.0\" encoding=\"latin1\"?><model>A</model>",
    "<model>A<composite name=\"T\"><attribute name=\"t\" attributeType=\"Composite\" composite=\"T\"/></composite></model>",
    "<model>&amp;A&#65;</model>", "<model>A&none;</model>", "<model>A\u{1}</model>", "<?xml-style A?><model>A</model>",
    "<model>\(String(repeating: "<odd>", count: 99))A\(String(repeating: "</odd>", count: 99))</model>",
  ])
  func whatIsNotPlainIsReadAlone(_ text: String) {
    let plain = Self.entities.map { "<model>\($0)</model>" }
    for entity in Self.entities {
      same((plain + [text.replacing("A", with: entity)]).map { Data($0.utf8) }, "\(text)")
    }
  }

  @Test func theElementsOfSharedEntitiesCountToo() throws {
    let entity = "<entity name=\"A\">\(String(repeating: "<odd/>", count: 60_000))</entity>"
    let results = same(["<model>\(entity)</model>", "<model>\(entity)\(entity)</model>"].map { Data($0.utf8) }, "")
    #expect(throws: ModelFileError.self) { try results[1].get() }
  }

  @Test func everyVersionOfAGrowingBundleIsReadAsIfItWasAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Growing.xcdatamodeld")
    var model = ManagedObjectModel(entities: [])
    for number in 1...12 {
      model.entities.append(
        EntityDescription(
          name: "E\(number)", superentityName: number % 3 == 0 ? "E\(number - 1)" : nil,
          attributes: [AttributeDescription(name: "a\(number)", type: .string)]))
      model.entities[number / 2].attributes.append(AttributeDescription(name: "b\(number)", type: .integer16))
      let version = "\(path)/v\(number).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      try ContentsDocument(model).data.write(to: URL(fileURLWithPath: "\(version)/contents"))
    }
    let versions = LoadedVersion.load(from: [try ModelBundle(at: path)]).versions
    #expect(versions.count == 12)
    for version in versions {
      let alone = try ContentsReader.read(fileAt: version.file.path)
      #expect(version.file == alone)
      #expect(try version.versionHashes == VersionHashes(of: alone.model))
    }
    #expect(zip(versions, versions.dropFirst()).contains { shared($0.file, $1.file) > 3 })
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func everyBundleOfTheCorpusIsReadAsIfItsVersionsWereAlone() throws {
    let all = Dictionary(grouping: Corpus.files(in: "models") { $0 == "contents" }) {
      $0.deletingLastPathComponent().deletingLastPathComponent().path
    }.sorted { $0.key < $1.key }
    var (files, entities) = (0, 0)
    let bundles = CorpusSample.of(all, atMost: 40)
    for (bundle, urls) in bundles {
      let results = same(try urls.map { try Data(contentsOf: $0) }, "\(bundle)").compactMap { try? $0.get() }
      files += results.count
      entities += zip(results, results.dropFirst()).map { shared($0, $1) }.reduce(0, +)
    }
    print(
      "read together: \(CorpusSample.scope(bundles.count, of: all.count)) bundles, \(files) files, \(entities) shared"
    )
    #expect(entities > files)
  }

  @Test(arguments: 0..<UInt64(Thoroughness.isFull ? 400 : 40))
  func randomVersionsAreReadAsIfEachWasAlone(_ seed: UInt64) {
    var history = RandomHistory(random: SeededGenerator(seed: seed))
    let texts = (0..<12).map { _ in history.next() }
    same(texts, "seed \(seed)")
  }
}

/// Versions of a text that random edits make of each other.
private struct RandomHistory {
  var random: SeededGenerator
  private var items = ["<entity name=\"A\"><attribute name=\"a\"/></entity>", "\n", "<entity name=\"B\"/>"]

  init(random: SeededGenerator) { self.random = random }

  private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

  private mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }

  private mutating func space() -> String { pick(["", " ", "\n", "\n    ", "\r\n", "\t", "é", "\r", "🚲 "]) }

  private mutating func entity() -> String {
    let children = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      space()
        + pick(
          [
            "<attribute name=\"a\" attributeType=\"String\"/>", "<attribute name='é' minValueString='x > y'/>",
            "<attribute name=\"c\" attributeType=\"Composite\" composite=\"T\"/>", "<odd><entity name=\"A\"/></odd>",
            "<relationship name=\"r\" toMany=\"YES\" deletionRule=\"Odd\"/>", "<!-- </entity> -->",
            "<![CDATA[</entity>]]>",
            "<fetchIndex name=\"i\"><fetchIndexElement property=\"a\"/></fetchIndex>", "<entity name=\"A\"></entity>",
            "<uniquenessConstraints><uniquenessConstraint/><uniquenessConstraint/></uniquenessConstraints>",
            "<userInfo><entry key=\"é\" value=\"&amp;&#10;\"/>\n<entry key=\"é\"/></userInfo>", "<x:entity/>",
            "</entity>",
          ].dropLast(chance(20) ? 0 : 1).map { $0 })
    }
    let name = pick([
      "name=\"A\"", "name=\"B\"", "name='C'", "name=\"É\" odd=\"1\"", "\n name=\"D\"", "name=\"A\" x:odd=\"\"",
    ])
    guard !children.isEmpty else {
      return "<entity \(name)\(space())/>".replacing("é", with: "").replacing("🚲", with: "")
    }
    return "<entity \(name)>\(children.joined())\(space())</entity\(pick(["", " ", "\n"]))>"
  }

  private mutating func item() -> String {
    guard !chance(8) else {
      return pick([
        "<!-- <entity name=\"A\"/> -->", "<?odd <entity/> ?>", "<odd><entity name=\"A\"/></odd>", "<entity/>", "&none;",
        "<composite name=\"T\"><attribute name=\"t\"/></composite>", "<configuration name=\"K\"/>",
        "<odd xmlns:x=\"u\"/>",
      ])
    }
    return chance(3) ? space() : entity()
  }

  /// The text after some more edits.
  mutating func next() -> Data {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let position = Int.random(in: 0..<items.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where items.count > 2: items.remove(at: position)
      case 1: items.append(items.remove(at: position))
      case 2: items[position] = items[position].replacing("\n", with: "\r\n")
      case 3: items.append(items[position])
      default: items.insert(item(), at: position)
      }
    }
    let head =
      chance(2) ? pick(["<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "<?xml version='1.0'?>", "\u{FEFF}"]) : ""
    let root = chance(6) ? pick(["model xmlns:x=\"u\"", "model xmlns=\"u\"", "odd", "model a=\"é\""]) : "model"
    let text = "\(head)<\(root)>\(items.joined())</\(root.prefix { $0 != " " })>"
    let cut = chance(12) ? Int.random(in: 0...text.utf8.count, using: &random) : text.utf8.count
    return Data(text.utf8.prefix(cut))
  }
}
