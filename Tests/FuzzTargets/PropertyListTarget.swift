import Foundation
import ModelFiles

/// Property lists: what is written of one reads as the same.
enum PropertyListTarget {
  static func run(_ data: Data) throws {
    let list = try PropertyList(decoding: data)
    let binary = list.binary
    let again: PropertyList
    do {
      again = try PropertyList(decoding: binary)
    } catch {
      throw FuzzFinding("a property list that is written cannot be read: \(error)")
    }
    try FuzzFinding.expect(again.binary == binary, "a property list that is written and read is another")
  }
}
