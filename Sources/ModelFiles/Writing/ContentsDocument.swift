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
  private let origin: Origin?

  /// A file as it was read.
  private struct Origin: Hashable, Sendable {
    let model: ManagedObjectModel
    let bytes: Data
    /// False where the file is in another encoding.
    let isUTF8: Bool
  }

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
    origin = nil
  }

  /// Reads a file's bytes.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - path: the path that messages name.
  /// - Throws: ``ModelFileError``.
  public init(_ data: Data, path: String) throws(ModelFileError) {
    model = try ContentsReader.read(data, path: path).model
    let text = Data(try MarkupReader.utf8(data, path: path))
    let source = try MarkupSource(text, path: path, encoding: .utf8)
    // A byte order mark of UTF-8 has three bytes; UTF-16 has others throughout.
    origin = Origin(model: model, bytes: data, isUTF8: data.count <= text.count + 3 && data.suffix(text.count) == text)
    kept = KeptMarkup(of: ContentsElement(source.root), beyond: ContentsForm.element(model))
    style = ContentsStyle(of: source)
  }

  /// The file's bytes, written from the values.
  public var data: Data {
    ContentsWriter(style).data(of: kept.applied(to: ContentsForm.element(model)))
  }

  /// The bytes that the file had, nil when the model was changed, or was in no file, or in one that is not UTF-8.
  var unchangedBytes: Data? {
    guard let origin, origin.isUTF8, origin.model == model else { return nil }
    return origin.bytes
  }

  private static func commentCount(in data: Data) -> Int {
    // In a well-formed text, `<!--` stands nowhere but at the beginning of a comment.
    String(decoding: data, as: UTF8.self).components(separatedBy: "<!--").count - 1
  }

  /// How many comments are not in ``data``.
  var lostCommentCount: Int {
    guard let origin, let text = try? MarkupReader.utf8(origin.bytes, path: "") else { return 0 }
    return Self.commentCount(in: Data(text)) - Self.commentCount(in: data)
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
