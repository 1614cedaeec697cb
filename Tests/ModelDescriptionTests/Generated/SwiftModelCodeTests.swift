import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("Swift code of models")
struct SwiftModelCodeTests {
  @Test("The code of a model, as a newcomer sees it")
  func text() throws {
    let model = ManagedObjectModel {
      Entity("Customer") {
        Attribute("number", .integer32, default: 0)
        Attribute("joined", .date, default: Date(timeIntervalSinceReferenceDate: 60)).optional()
        Relationship("orders", toMany: "Order", inverse: "customer", deleteRule: .deny).ordered()
        UniquenessConstraint("number")
      }
      Entity("Order", parent: "Document", objectClass: .managedObject, codeGeneration: nil)
      Configuration("Cloud") { "Order" }
    }
    #expect(
      SwiftModelCode(model, name: "ShopV2", origin: "Shop, version v2").text == """
        import Foundation
        import ModelKit

        /// The model of Shop, version v2.
        enum ShopV2 {
          /// The model.
          static let model = ManagedObjectModel {
            customer
            order
            cloud
          }

          static let customer = Entity("Customer") {
            Attribute("number", .integer32, default: 0)
            Attribute("joined", .date, default: Date(timeIntervalSinceReferenceDate: 60)).optional()
            Relationship("orders", toMany: "Order", inverse: "customer", deleteRule: .deny).ordered()
            UniquenessConstraint("number")
          }

          static let order = Entity("Order", parent: "Document", objectClass: .managedObject, codeGeneration: nil)

          static let cloud = Configuration("Cloud") {
            "Order"
          }
        }

        """)
  }

  @Test("Compiled without a warning, the code of a hostile model makes the very same model")
  func hostile() throws {
    try check([.init(path: "hostile", model: HostileModel.model)])
  }

  /// A model whose code names every type that code of models can name.
  private static let everything = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "A", className: "A",
        attributes: [
          AttributeDescription(name: "a", type: .decimal, defaultValue: .decimal(.nan)),
          AttributeDescription(name: "b", type: .date, defaultValue: .date(1)),
          AttributeDescription(name: "c", type: .uuid, defaultValue: .uuid(UUID())),
          AttributeDescription(name: "d", type: .binary, defaultValue: .binary(Data([1]))),
          AttributeDescription(name: "e", type: .binary, defaultValue: .binary(Data())),
          AttributeDescription(
            name: "f", type: .boolean, validation: AttributeValidation(minimum: .decimal(1)),
            derivation: Derivation(expression: "now()")),
        ],
        relationships: [
          RelationshipDescription(name: "g", destinationEntityName: "A", isOptional: true),
          RelationshipDescription(name: "h", destinationEntityName: nil),
        ],
        fetchedProperties: [
          FetchedPropertyDescription(name: "i"),
          FetchedPropertyDescription(
            name: "j", fetchRequest: FetchRequestDescription(name: "k", entityName: "A")),
        ],
        fetchIndexes: [FetchIndexDescription(name: "l", elements: [.init(subject: .property("a"))])],
        compoundIndexes: [["a"]], uniquenessConstraints: [["b"]], codeGeneration: "manual"),
      EntityDescription(
        name: "Many", attributes: (0..<120).map { AttributeDescription(name: "a\($0)", type: .string) }),
    ],
    composites: [CompositeDescription(name: "P", elements: [AttributeDescription(name: "x", type: .string)])],
    configurations: [ModelConfiguration(name: "C", entityNames: ["A"])],
    fetchRequests: [FetchRequestDescription(name: "R", entityName: "A")])

  /// The types that code names outside of its texts.
  private static func types(in code: String) -> Set<String> {
    let bare = code.replacing(/"[^"]*"/, with: "").split(separator: "\n").filter { !$0.contains("///") }
    return Set(bare.joined(separator: "\n").matches(of: /\b[A-Z][A-Za-z]+/).map { String($0.output) })
  }

  @Test("The type that holds a model hides nothing that its code names")
  func typeNames() throws {
    let words = Self.types(in: SwiftModelCode(Self.everything, name: "holder", origin: "o").text).subtracting(["Holder"]
    )
    #expect(words.isSuperset(of: ["Entity", "EntityContents", "DecimalConstant", "UUID", "RelationshipDescription"]))
    for word in words.sorted() {
      let code = SwiftModelCode(Self.everything, name: word, origin: "o").text
      #expect(code.contains("enum \(word)Model {"), "\(word)")
    }
    // Compiled together, in one module, as the versions of one bundle are.
    let folder = try TemporaryFolder()
    let small = ManagedObjectModel {
      Entity("Entity") {
        Attribute("Attribute", .decimal, default: 0)
        Relationship("Relationship", toOne: "Entity", inverse: "Relationship")
      }
      Configuration("Configuration") { "Entity" }
    }
    let names = words.union(["ModelContents"]).subtracting(["ModelKit"]).sorted()
    var files: [URL] = []
    for name in names {
      let file = folder.url.appendingPathComponent("\(name).swift")
      try SwiftModelCode(small, name: name, origin: "o", module: "ModelDescription").text
        .write(to: file, atomically: true, encoding: .utf8)
      files.append(file)
    }
    let result = try SwiftCompiler().check(files)
    #expect(result.status == 0, "\(result.output.prefix(2000))")
  }

  @Test("A required relationship to one needs no word; a count that an old Xcode wrote has one")
  func counts() {
    let model = ManagedObjectModel {
      Entity("A") {
        Relationship("b", toOne: "A")
        Relationship("c", toOne: "A").optional()
        Relationship("d", toOne: "A").minCount(1)
        Relationship("e", toOne: "A").optional().minCount(1)
      }
    }
    #expect(model.entities[0].relationships.map(\.minCount) == [0, 0, 1, 1])
    let lines = SwiftModelCode(model, name: "M", origin: "o").text.split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      lines.filter { $0.hasPrefix("Relationship") } == [
        #"Relationship("b", toOne: "A")"#, #"Relationship("c", toOne: "A").optional()"#,
        #"Relationship("d", toOne: "A").minCount(1)"#, #"Relationship("e", toOne: "A").optional().minCount(1)"#,
      ])
  }

  @Test("Compiled, the code of every sample version makes the very same model, with the same hashes")
  func samples() throws {
    let count = try check(try ExampleModels.samples())
    #expect(count > 30)
  }

  @Test(
    "Compiled, the code of real models makes the very same models, with the same hashes",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    let examples = ExampleModels.corpus(atMost: 1)
    var count = 0
    for start in stride(from: 0, to: examples.count, by: 20) {
      count += try check(Array(examples[start..<min(start + 20, examples.count)]))
    }
    print(
      "Swift code of \(examples.count) corpus models, \(count) hashes compared (MODELCTL_SEED=\(CorpusSample.seed))")
    #expect(count > 0)
  }

  /// Compiles the code of models, runs it and compares what it makes.
  ///
  /// - Returns: the number of hashes that were compared.
  @discardableResult private func check(_ examples: [ExampleModels.Example]) throws -> Int {
    let folder = try TemporaryFolder()
    var files = [URL(fileURLWithPath: #filePath).deletingLastPathComponent()]
      .map { $0.deletingLastPathComponent().appendingPathComponent("Support/CanonicalText.swift") }
    var main = "import ModelDescription\nimport VersionHashing\n" + Self.report
    for (number, example) in examples.enumerated() {
      let code = SwiftModelCode(
        example.model, name: "Model\(number)", origin: example.path, module: "ModelDescription")
      let file = folder.url.appendingPathComponent("Model\(number).swift")
      try code.text.write(to: file, atomically: true, encoding: .utf8)
      files.append(file)
      main += "report(\(number), Model\(number).model)\n"
    }
    let mainFile = folder.url.appendingPathComponent("main.swift")
    try main.write(to: mainFile, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().run(files + [mainFile], in: folder)
    try #require(result.status == 0, "\(result.output.prefix(4000))")
    var expected: [String] = []
    var count = 0
    for (number, example) in examples.enumerated() {
      expected.append("\(number) \(CanonicalText.of(example.model))")
      if let hashes = try? VersionHashes(of: example.model) {
        expected += hashes.entities.map { "\(number) \($0.key.debugDescription) \($0.value.bytes)" }.sorted()
        count += hashes.entities.count
      }
    }
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == expected.count)
    for (line, expectation) in zip(lines, expected) where Array(line.utf8) != Array(expectation.utf8) {
      let equal = zip(line.utf8, expectation.utf8).prefix { $0 == $1 }.count
      let (made, wanted) = (Self.words(line, around: equal), Self.words(expectation, around: equal))
      Issue.record("made: \(made)\nexpected: \(wanted)")
    }
    return count
  }

  private static func words(_ line: String, around position: Int) -> String {
    String(decoding: line.utf8.dropFirst(max(0, position - 200)).prefix(300), as: UTF8.self)
  }

  private static let report = """
    func report(_ number: Int, _ model: ManagedObjectModel) {
      print("\\(number) \\(CanonicalText.of(model))")
      guard let hashes = try? VersionHashes(of: model) else { return }
      for line in hashes.entities.map({ "\\(number) \\($0.key.debugDescription) \\($0.value.bytes)" }).sorted() {
        print(line)
      }
    }

    """
}
