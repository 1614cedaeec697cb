import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Holds every hash against the one that Core Data itself wrote into a store or a compiled model.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusVectorTests {
  @Test func everyLineOfTheVectorFileIsRead() throws {
    let folder = try #require(Corpus.folder)
    let text = try String(contentsOf: folder.appendingPathComponent("version-hash-vectors.jsonl"), encoding: .utf8)
    #expect(HashVector.all.count == text.split(separator: "\n").count)
    let pairs = HashVector.all.map(\.hashes.count).reduce(0, +)
    let digests = HashVector.all.compactMap(\.digest).count
    let checksums = HashVector.all.compactMap(\.checksum).count
    print(
      "version hash vectors: \(HashVector.all.count) records, \(pairs) pairs, \(digests) digests,",
      "\(checksums) checksums")
    #expect(pairs >= 2715)
  }

  @Test(arguments: HashVector.all)
  func hashesEqualCoreDatas(_ vector: HashVector) throws {
    let folder = try #require(Corpus.folder)
    let path = folder.appendingPathComponent(try #require(vector.model)).path
    let file =
      path.hasSuffix(".elements") ? try ElementsReader.read(fileAt: path) : try ContentsReader.read(fileAt: path)
    let computed = try VersionHashes(of: file.model).entities.mapValues(\.base64)
    #expect(computed == vector.hashes)
  }

  @Test(arguments: HashVector.all.filter { $0.digest != nil || $0.checksum != nil })
  func digestsAndChecksumsEqualCoreDatas(_ vector: HashVector) throws {
    let hashes = try vector.hashes.mapValues { try #require(Data(base64Encoded: $0).flatMap { VersionHash($0) }) }
    let known = VersionHashes(entities: hashes)
    if let digest = vector.digest { #expect(known.digest == digest) }
    if let checksum = vector.checksum { #expect(known.checksum == checksum) }
  }
}
