import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

/// The mapping models of the corpus, each read once for all tests.
enum CorpusMappingModels {
  /// A mapping model and its folder.
  struct Entry: Sendable {
    /// The folder, as the corpus's list names it.
    var name: String
    var folder: URL
    var file: XcodeMappingModel

    /// The model file of a side next to the mapping model; nil if there is none.
    func model(_ side: String) throws -> EntityHierarchy? {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      guard let name = names.first(where: { $0.hasPrefix("\(side).") && $0.hasSuffix(".xml") }) else { return nil }
      return try EntityHierarchy(ContentsReader.read(fileAt: folder.appendingPathComponent(name).path).model)
    }
  }

  private static let entries = Result {
    try Corpus.files(in: "mapping-models") { $0 == "xcmapping.xml" }.map { url in
      let folder = url.deletingLastPathComponent()
      return Entry(
        name: folder.pathComponents.suffix(2).joined(separator: "/"), folder: folder,
        file: try XcodeMappingModel(contentsOf: folder.path))
    }
  }

  static func all() throws -> [Entry] { try entries.get() }

  /// Some of them; a partial run takes small mapping models, because a large one takes several seconds.
  static func some(atMost limit: Int) throws -> [Entry] {
    let small = try all().filter { entry in
      let file = entry.folder.appendingPathComponent("xcmapping.xml").path
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
      return CorpusSample.isWhole || size ?? 0 < 400_000
    }
    return CorpusSample.of(small, atMost: limit)
  }

  static func named(_ name: String) throws -> Entry {
    try #require(try all().first { $0.name == name }, "\(name)")
  }
}
