public import MappingModels
public import ModelDescription

/// An error at a location of a mapping model's file.
public enum MappingFileFinding: Hashable, Sendable {
  /// The root element is not that of Core Data's XML stores.
  case unexpectedRoot(String)
  /// The file is compiled; ``CompiledMappingReader`` reads it.
  case compiled
  /// The file does not contain a mapping model.
  case noMappingModel
  /// The file contains a second mapping model.
  case secondMappingModel(first: SourceLocation)
  /// An object has no id or no type.
  case missingMarkup(String)
  /// Two objects have one id.
  case duplicateID(String, first: SourceLocation)
  /// An object has a value twice.
  case duplicateValue(String)
  /// A reference to an object that is not in the file.
  case danglingReference(relationship: String, id: String)
  /// A reference to an object of a different type than the relationship's.
  case wrongDestination(relationship: String, id: String, found: String, expected: String)
  /// A second reference to an object that belongs to one owner.
  case sharedObject(relationship: String, id: String)
  /// A number or a flag is not valid.
  case badValue(attribute: String, text: String)
  /// The bytes are not base64.
  case badBase64(attribute: String)
  /// The bytes are not the expected archive.
  indirect case badArchive(attribute: String, MappingArchiveError)
  /// The file does not contain one of the models that it maps.
  case noSnapshot(MappingSide)
  /// The entities of a contained model do not form a hierarchy, or have an unknown type.
  case unsoundSnapshot(MappingSide, ModelStructureError)
  /// An expression cannot be computed here.
  case unreadableExpression(of: String, reason: ArchivedExpressionError)
  /// A predicate cannot be read.
  case unreadableFilter(String, reason: ExpressionSyntaxError)
  /// A source expression is more than a fetch of a single entity with a predicate.
  case unsupportedSourceExpression
  /// Two entity mappings have one name; expressions refer to mappings by name.
  case duplicateName(String, first: SourceLocation)
}

extension MappingFileFinding: CustomStringConvertible {
  /// The cause, and the remedy in words.
  public var description: String { words.cause + (words.advice.map { "; \($0.words)" } ?? "") }

  /// The cause, and the remedy.
  package var words: ErrorWords {
    switch self {
    case .unexpectedRoot(let name):
      .init(
        "the root element is <\(name)> instead of <database>", "name the xcmapping.xml of a bundle")
    case .compiled:
      .init(
        "the file is a property list, like a compiled mapping model",
        "name the .xcmappingmodel that it was made from, or a file with .cdm")
    case .noMappingModel:
      .init("no object has the type \(XcodeMappingReader.rootType)", "name the xcmapping.xml of a mapping model")
    case .secondMappingModel(let first):
      .init("a second mapping model; the first is at \(first)", "keep one and save the file in Xcode")
    case .missingMarkup(let name): .init("this <object> has no \(name)", "restore the file from version control")
    case .duplicateID(let id, let first):
      .init(
        "a second object with the id “\(id)”; the first is at \(first)",
        "restore one side if the file is badly merged")
    case .duplicateValue(let name): .init("a second value of \(name)", "restore one side if the file is badly merged")
    case .danglingReference(let relationship, let id):
      .init(
        "\(relationship) refers to “\(id)”, which is not in the file", "restore one side if the file is badly merged")
    case .wrongDestination(let relationship, let id, let found, let expected):
      .init(
        "\(relationship) refers to “\(id)” of type \(found) instead of \(expected)",
        "restore the file from version control")
    case .sharedObject(let relationship, let id):
      .init(
        "\(relationship) refers to “\(id)”, to which another object already refers",
        "restore the file from version control")
    case .badValue(let attribute, let text):
      .init("\(attribute) has the invalid value “\(text)”", "open the file in Xcode and save it")
    case .badBase64(let attribute):
      .init("\(attribute) is not base64, or is cut off", "restore the file from version control")
    case .badArchive(let attribute, let error):
      .init("\(attribute) is not a readable archive: \(error)", "restore the file from version control")
    case .noSnapshot(let side):
      .init("the mapping model does not contain the \(side) model", "choose Editor > Refresh Data Models in Xcode")
    case .unsoundSnapshot(let side, let error):
      .init(
        "the \(side) model inside is not sound: \(error)",
        "repair that model, then refresh the data models in Xcode")
    case .unreadableExpression(let property, let reason):
      .init("the expression of \(property) cannot be read: \(reason)", "write it as text in a mapping file of modelctl")
    case .unreadableFilter(let text, let reason):
      .init(
        "the filter “\(text)” cannot be read: at character \(reason.offset + 1): \(reason.words.cause)",
        reason.words.advice)
    case .unsupportedSourceExpression:
      .init(
        "the source expression is more than a fetch of one entity", "select the objects with a filter predicate")
    case .duplicateName(let name, let first):
      .init("a second entity mapping named “\(name)”; the first is at \(first)", "give one of them another name")
    }
  }
}
