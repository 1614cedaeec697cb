import ModelDescription

/// Gives every composite attribute of a `contents` file the elements of its type.
enum CompositeResolver {
  static func resolve(_ model: ManagedObjectModel, _ record: ContentsRecord) throws(ModelFileError)
    -> ManagedObjectModel
  {
    let resolution = CompositeResolution(model)
    let fallback = record.locations[.model] ?? SourceLocation(file: "", line: 1, column: 1)
    switch resolution.problem {
    case nil: return resolution.model
    case .cycle(let names):
      let location = names.last.flatMap { record.locations[.composite($0)] }
      throw .compositeCycle(location: location ?? fallback, names: names)
    case .tooDeep(let limit):
      throw .tooLarge(path: fallback.file, what: "the nesting of its composite types", limit: limit)
    case .tooMany(let limit):
      throw .tooLarge(path: fallback.file, what: "the number of its composite attributes' elements", limit: limit)
    }
  }
}
