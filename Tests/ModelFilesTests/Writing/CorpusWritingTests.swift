import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite(
  "Every contents file of the corpus, read and written",
  .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusWritingTests {
  /// The files with different bytes, each once: a sample, or every one.
  static let files: [URL] = {
    var known: Set<Data> = []
    let all =
      Corpus.files(in: "models") { $0 == "contents" }
      + Corpus.files(in: "models-by-hash") { $0.hasSuffix(".contents") }
      + Corpus.files(in: "mapping-models") { $0.hasSuffix(".contents.xml") }
    let different = all.filter { url in (try? Data(contentsOf: url)).map { known.insert($0).inserted } ?? false }
    return CorpusSample.of(different, atMost: 25)
  }()

  /// The page docs/contributing/contents-files.md has its figures for the whole corpus.
  @Test("XML → value → XML is byte-identical")
  func identical() throws {
    var (count, same) = (0, 0)
    var forms: [String: Int] = [:]
    var exceptions: [String: [String]] = [:]
    for url in Self.files {
      let data = try Data(contentsOf: url)
      guard let document = try? ContentsDocument(data, path: url.path) else { continue }
      count += 1
      forms[Self.form(data), default: 0] += 1
      if document.data == data { same += 1 } else { exceptions[Self.kind(data), default: []].append(url.path) }
      #expect(try ContentsReader.read(document.data, path: url.path).model == document.model, "\(url.path)")
    }
    print("written back: \(same) of \(count) contents files byte-identical, \(Self.share(same, count))")
    for (kind, paths) in exceptions.sorted(by: { $0.key < $1.key }) {
      print("  \(paths.count) with \(kind): \(paths.map { $0.suffix(70) })")
    }
    print("  forms: \(forms)")
    #expect(count > 0)
    #expect(same * 1000 >= count * 990)
  }

  /// The form of a file's text.
  private static func form(_ data: Data) -> String {
    let text = String(decoding: data, as: UTF8.self)
    if text.contains("<!--") { return "a comment" }
    if text.hasSuffix("\n") { return "a last line that is ended" }
    return text.contains(/="[^"]*>[^"]*"/) ? "> as it is" : "Xcode's"
  }

  @Test("The model alone gives the same model, the same hashes, and nearly always the same lines")
  func modelAlone() throws {
    var (count, same, lines, sameLines) = (0, 0, 0, 0)
    var kinds: [String: Int] = [:]
    for url in Self.files {
      let data = try Data(contentsOf: url)
      guard let model = try? ContentsReader.read(data, path: url.path).model else { continue }
      count += 1
      let written = ContentsDocument(model).data
      let again = try ContentsReader.read(written, path: url.path)
      #expect(again.model == model, "\(url.path)")
      #expect(again.notes == [], "\(url.path)")
      if let (old, new) = try? (VersionHashes(of: model), VersionHashes(of: again.model)) { #expect(old == new) }
      let (former, latter) = (Self.body(data), Self.body(written))
      if former == latter { same += 1 }
      lines += former.count
      let known = Set(latter)
      for line in former {
        if known.contains(line) { sameLines += 1 } else { kinds[Self.kind(ofLine: line), default: 0] += 1 }
      }
    }
    print(
      """
      from the model alone, but for tools and diagram: \(same) of \(count) files byte-identical, \
      \(Self.share(same, count)); \(sameLines) of \(lines) lines, \(Self.share(sameLines, lines))
      """)
    for (kind, count) in kinds.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) { print("  \(count) × \(kind)") }
    #expect(lines > 0)
    #expect(sameLines * 1000 >= lines * 985)
  }

  /// Why a line is not written so from the model alone.
  private static func kind(ofLine line: String) -> String {
    if line.contains("DateTimeInterval"), line.contains("ValueString") { return "a date with its text beside it" }
    if line.contains("ValueString") { return "a value as it was before a change of type" }
    if line.contains("representedClassName=\"\"") { return "an empty class name" }
    return line.trimmingCharacters(in: .whitespaces).split(separator: " ").first.map(String.init) ?? "other"
  }

  /// The lines between the root's tags, without the diagram and the end of the last.
  private static func body(_ data: Data) -> [String] {
    var lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    lines.removeAll { $0.hasPrefix("<?xml") || $0.hasPrefix("<model") }
    guard let start = lines.firstIndex(where: { $0.hasPrefix("    <elements") }),
      let end = lines.lastIndex(where: { $0.hasSuffix("</elements>") || $0.hasSuffix("<elements/>") }), end >= start
    else { return lines }
    lines.removeSubrange(start...end)
    return lines
  }

  private static func kind(_ data: Data) -> String {
    let text = String(decoding: data, as: UTF8.self)
    if text.contains("<!--") { return "comments" }
    if text.contains("\r\n") { return "other ends of lines" }
    return "an unknown form"
  }

  private static func share(_ part: Int, _ whole: Int) -> String {
    whole == 0 ? "none" : "\((Double(part) * 1000 / Double(whole)).rounded() / 10) %"
  }
}
