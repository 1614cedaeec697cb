import Foundation
import ModelFiles

extension ModelBundle {
  /// Where the bundle says which version is current: the string in `.xccurrentversion`; nil without such a file.
  var currentVersionLocation: SourceLocation? {
    let path = "\(self.path)/.xccurrentversion"
    guard form == .versioned, let bytes = try? FileBytes.read(path) else { return nil }
    let start = SourceLocation(file: path, line: 1, column: 1)
    guard let root = try? MarkupReader.read(bytes, path: path),
      let entries = root.children(named: "dict").first?.children,
      let key = entries.firstIndex(where: { $0.name == "key" && $0.text == "_XCCurrentVersionName" })
    else { return start }
    return entries.dropFirst(key + 1).first?.location ?? start
  }
}
