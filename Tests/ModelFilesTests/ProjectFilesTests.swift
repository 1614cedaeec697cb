import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("Every bundle below a folder is found once, however deep and through links")
struct ProjectFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ bundle: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("\(bundle)/v1.xcdatamodel"), withIntermediateDirectories: true)
    try Data("<model/>".utf8).write(to: URL(fileURLWithPath: folder.path("\(bundle)/v1.xcdatamodel/contents")))
  }

  private func link(_ path: String, to target: String) throws {
    let place = URL(fileURLWithPath: folder.path(path))
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: target)
  }

  private func found(under start: String) -> [String] {
    let prefix = folder.path(start) + "/"
    return ModelBundle.discover(under: folder.path(start)).map { String($0.path.dropFirst(prefix.count)) }
  }

  @Test("Deep folders", arguments: [16, 17, 40, 300])
  func deep(_ depth: Int) throws {
    let path = Array(repeating: "d", count: depth).joined(separator: "/")
    try make("app/\(path)/Shop.xcdatamodeld")
    #expect(found(under: "app") == ["\(path)/Shop.xcdatamodeld"])
  }

  @Test("A link to a bundle elsewhere is a bundle; one to a bundle that is found, or to a part of one, is none")
  func links() throws {
    try make("app/Own.xcdatamodeld")
    try make("shared/Shop.xcdatamodeld")
    try make("app/.hidden/Secret.xcdatamodeld")
    try link("app/Other.xcdatamodeld", to: "Own.xcdatamodeld")
    try link("app/Part.xcdatamodel", to: "Own.xcdatamodeld/v1.xcdatamodel")
    try link("app/a/Shop.xcdatamodeld", to: "../../shared/Shop.xcdatamodeld")
    try link("app/b/Again.xcdatamodeld", to: "../a/Shop.xcdatamodeld")
    try link("app/Secret.xcdatamodeld", to: ".hidden/Secret.xcdatamodeld")
    try link("app/Gone.xcdatamodeld", to: "nowhere.xcdatamodeld")
    try link("app/Loop.xcdatamodeld", to: "Loop.xcdatamodeld")
    try link("app/c/up", to: "..")
    try link("app/Folder.xcdatamodeld", to: "../app")
    let paths = found(under: "app").sorted()
    #expect(paths == ["Own.xcdatamodeld", "Secret.xcdatamodeld", "a/Shop.xcdatamodeld"], "\(paths)")
  }
}
