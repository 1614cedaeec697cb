import Foundation
import ModelDescription
import ModelFiles

/// The doors that models come in by.
enum ModelTargets {
  static func contents(_ data: Data) throws {
    let file = try ContentsReader.read(data, path: "contents")
    try edit(data)
    try write(data, file.model)
    try ModelWork.run(file)
  }

  /// A written model is read as the same model, and written again unchanged.
  private static func write(_ data: Data, _ model: ManagedObjectModel) throws {
    let alone = ContentsDocument(model)
    try FuzzFinding.expect(
      try ContentsReader.read(alone.data, path: "contents").model == model, "a model is written as another")
    guard let document = try? ContentsDocument(data, path: "contents") else { return }
    let written = document.data
    let again: ContentsDocument
    do {
      again = try ContentsDocument(written, path: "contents")
    } catch {
      throw FuzzFinding("the written file cannot be read: \(error)")
    }
    try FuzzFinding.expect(again.model == model, "a file is written as another model")
    try FuzzFinding.expect(again.data == written, "a file that was written is written otherwise")
    try change(data, model)
  }

  /// An edit can be refused; what it leaves can be read.
  private static func change(_ data: Data, _ model: ManagedObjectModel) throws {
    guard let entity = model.entities.first else { return }
    var edits: [ContentsEdit] = [
      .rename(.entity(entity.name), to: "Renamed"), .remove(.entity(entity.name)),
      .addAttribute(AttributeDescription(name: "added", type: .string, isOptional: true), entity: entity.name),
    ]
    for name in entity.attributes.map(\.name).prefix(1) + entity.relationships.map(\.name).prefix(1) {
      edits += [
        .rename(.property(entity: entity.name, name: name), to: "renamed"),
        .remove(.property(entity: entity.name, name: name)),
        .retype(entity: entity.name, attribute: name, to: .integer64),
      ]
    }
    for edit in edits {
      do {
        _ = try EditedContents(edit, of: data, path: "contents")
      } catch {
        if case .unreadable(let reason) = error { throw FuzzFinding("an edit cannot be read: \(reason)") }
      }
    }
  }

  /// A model that gets identifiers is read as the same model with identifiers.
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
    if !isModel, let compilation = try? CompiledMappingReader.read(data, path: "mapping.cdm") {
      try MappingTargets.work(compilation.mapping)
    }
    let cached = try ModelCache.decode(data)
    try ModelWork.run(ModelFile(model: cached, path: "cache"))
  }
}
