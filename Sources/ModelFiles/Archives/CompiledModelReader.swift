enum CompiledModelReader {
  static func read(fileAt path: String) throws(ModelFileError) -> ModelFile { throw .notAModel(path: path) }
}
