import Foundation
import ModelFiles

/// The doors that models come in by.
enum ModelTargets {
  static func contents(_ data: Data) throws {
    let file = try ContentsReader.read(data, path: "contents")
    try edit(data)
    try ModelWork.run(file)
  }

  /// What gets identifiers reads as the same model with identifiers.
  private static func edit(_ data: Data) throws {
    let edited: (data: Data, given: [ContentsEditor.GivenIdentifier])
    do {
      edited = try ContentsEditor.addingIdentifiers(to: data, path: "contents")
    } catch {
      return
    }
    do {
      _ = try ContentsReader.read(edited.data, path: "contents")
    } catch {
      throw FuzzFinding("the edited file cannot be read: \(error)")
    }
    let again = try ContentsEditor.addingIdentifiers(to: edited.data, path: "contents")
    try FuzzFinding.expect(again.given.isEmpty, "an edit that was made is made again")
  }

  static func merge(_ data: Data) throws {
    let parts = data.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map { Data($0) }
    guard let ours = parts.first, !ours.isEmpty else { return }
    let theirs = parts.count > 1 ? parts[1] : ours
    let base = parts.count > 2 ? parts[2] : Data()
    let merge = try ContentsMerge(base: base, ours: ours, theirs: theirs, paths: ("base", "ours", "theirs"))
    _ = merge.conflicts.map { "\($0)" }
    if merge.conflicts.isEmpty {
      do {
        _ = try ContentsReader.read(merge.data, path: "merged")
      } catch {
        throw FuzzFinding("a merge without conflicts cannot be read: \(error)")
      }
    }
    let same = try ContentsMerge(base: ours, ours: ours, theirs: ours, paths: ("base", "ours", "theirs"))
    try FuzzFinding.expect(same.data == ours, "merging a file with itself changes it")
  }

  static func archive(_ data: Data) throws {
    var isModel = false
    do {
      let file = try CompiledModelReader.read(data, path: "model.mom")
      isModel = true
      try ModelWork.run(file)
    } catch let error as ModelFileError {
      _ = "\(error)"
    }
    if !isModel, let file = try? ElementsReader.read(data, path: "elements") { try ModelWork.run(file) }
    if !isModel, let file = try? CompiledMappingModel(data, path: "mapping.cdm") {
      try MappingTargets.work(file.mapping)
    }
    let cached = try ModelCache.decode(data)
    try ModelWork.run(ModelFile(model: cached, path: "cache"))
  }
}
