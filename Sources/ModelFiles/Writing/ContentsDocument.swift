public import Foundation
public import ModelDescription

/// A `contents` file as a value: its model, and what the file says beyond the model.
///
/// Beyond the model are the attributes that say with which tools the file was saved, the layout of the diagram, unknown
/// elements and attributes, the order and the spellings that are not those of Xcode, and the form of the text. Comments
/// among the elements are not kept.
public struct ContentsDocument: Hashable, Sendable {
  /// The model; what is kept stays with the entities and properties that keep their names.
  public var model: ManagedObjectModel
  private let kept: KeptMarkup
  private let style: ContentsStyle

  /// Makes the file of a model that was in none, such as one made in code or read from a compiled model.
  ///
  /// The attributes about tools are those of the models that Xcode makes for a new project.
  public init(_ model: ManagedObjectModel) {
    self.model = model
    var root = ContentsForm.element(model)
    let meant = root
    root.attributes = Self.newProject + root.attributes
    kept = KeptMarkup(of: root, beyond: meant)
    style = .xcode
  }

  /// Reads a file's bytes.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - path: the path that messages name.
  /// - Throws: ``ModelFileError``.
  public init(_ data: Data, path: String) throws(ModelFileError) {
    model = try ContentsReader.read(data, path: path).model
    let source = try MarkupSource(Data(try MarkupReader.utf8(data, path: path)), path: path)
    kept = KeptMarkup(of: ContentsElement(source.root), beyond: ContentsForm.element(model))
    style = ContentsStyle(of: source)
  }

  /// The file's bytes, written from the values.
  public var data: Data {
    ContentsWriter(style).data(of: kept.applied(to: ContentsForm.element(model)))
  }

  /// What Xcode writes into the model of a new project, before it has been saved by the editor.
  private static let newProject: [ContentsElement.Attribute] = [
    .init(name: "type", value: "com.apple.IDECoreDataModeler.DataModel"),
    .init(name: "documentVersion", value: "1.0"),
    .init(name: "lastSavedToolsVersion", value: "1"),
    .init(name: "systemVersion", value: "11A491"),
    .init(name: "minimumToolsVersion", value: "Automatic"),
    .init(name: "sourceLanguage", value: "Swift"),
  ]
}
