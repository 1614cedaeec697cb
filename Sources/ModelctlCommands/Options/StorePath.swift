import ArgumentParser
import ModelKit

/// The path of a store; an empty one, as an unset variable of a shell gives, is wrong usage.
struct StorePath: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }

  /// True for a path that ends with a slash, as only that of a folder does.
  var isOfFolder: Bool { text.utf8.last == UInt8(ascii: "/") }

  /// Refuses the path of a folder where a file is to be made.
  ///
  /// - Parameter name: the name of such a file, for the message.
  /// - Throws: ``CommandError/folderForFile(path:file:)``.
  func checkNamesFile(such name: String = "store.sqlite") throws(CommandError) {
    if isOfFolder { throw .folderForFile(path: text, file: BundlePath.joined(text, name)) }
  }
}
