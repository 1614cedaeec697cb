public import MappingModels
public import ModelDescription

/// What is wrong at a place of a mapping model's file.
public enum MappingFileFinding: Hashable, Sendable {
  /// The root element is not the one of Core Data's XML stores.
  case unexpectedRoot(String)
  /// The file is the compiled form, which ``CompiledMappingReader`` reads.
  case compiled
  /// No object is the mapping model.
  case noMappingModel
  /// A second object claims to be the mapping model.
  case secondMappingModel(first: SourceLocation)
  /// An object has no id or no type.
  case missingMarkup(String)
  /// Two objects have one id.
  case duplicateID(String, first: SourceLocation)
  /// An object has a value twice.
  case duplicateValue(String)
  /// A reference to an object that is not in the file.
  case danglingReference(relationship: String, id: String)
  /// A reference to an object of another type than the relationship's.
  case wrongDestination(relationship: String, id: String, found: String, expected: String)
  /// A second reference to an object that belongs to one owner.
  case sharedObject(relationship: String, id: String)
  /// A number or a truth in a form that is neither.
  case badValue(attribute: String, text: String)
  /// Bytes that are not base64.
  case badBase64(attribute: String)
  /// Bytes that archive something else, or nothing.
  indirect case badArchive(attribute: String, MappingArchiveError)
  /// The file does not carry one of the models it maps.
  case noSnapshot(MappingSide)
  /// One of the models it carries has entities that form no hierarchy, or a type nobody knows.
  case unsoundSnapshot(MappingSide, ModelStructureError)
  /// An expression that cannot be computed here.
  case unreadableExpression(of: String, reason: ArchivedExpressionError)
  /// A predicate that cannot be read.
  case unreadableFilter(String, reason: ExpressionSyntaxError)
  /// A source expression that is more than a fetch of one entity with a predicate.
  case unsupportedSourceExpression
  /// Two entity mappings have one name, by which expressions refer to them.
  case duplicateName(String, first: SourceLocation)
}

extension MappingFileFinding: CustomStringConvertible {
  /// The cause and what to try next.
  public var description: String { words.sentence }

  /// The cause, and what to try next.
  package var words: ErrorWords {
    switch self {
    case .unexpectedRoot(let name):
      .init(
        "the root element is <\(name)>, an Xcode mapping model's is <database>", "name the xcmapping.xml of a bundle")
    case .compiled:
      .init(
        "a property list, as compiled mapping models are",
        "name the .xcmappingmodel it was made from, or a file with .cdm")
    case .noMappingModel:
      .init("no object has the type \(XcodeMappingReader.rootType)", "name the xcmapping.xml of a mapping model")
    case .secondMappingModel(let first):
      .init("a second mapping model; the first is at \(first)", "keep one and save the file in Xcode")
    case .missingMarkup(let name): .init("this <object> has no \(name)", "restore the file from version control")
    case .duplicateID(let id, let first):
      .init(
        "a second object with the id “\(id)”; the first is at \(first)",
        "the file may be badly merged, restore one side")
    case .duplicateValue(let name): .init("a second value of \(name)", "the file may be badly merged, restore one side")
    case .danglingReference(let relationship, let id):
      .init("\(relationship) refers to “\(id)”, which is not in the file", "it may be badly merged, restore one side")
    case .wrongDestination(let relationship, let id, let found, let expected):
      .init(
        "\(relationship) refers to “\(id)” of type \(found) instead of \(expected)",
        "restore the file from version control")
    case .sharedObject(let relationship, let id):
      .init(
        "\(relationship) refers to “\(id)”, which something refers to already", "restore the file from version control")
    case .badValue(let attribute, let text):
      .init("\(attribute) is “\(text)”, which is no such value", "open the file in Xcode and save it")
    case .badBase64(let attribute):
      .init("\(attribute) is not base64, or is cut off", "restore the file from version control")
    case .badArchive(let attribute, let error):
      .init("\(attribute) is not a readable archive: \(error)", "restore the file from version control")
    case .noSnapshot(let side):
      .init("the mapping model carries no \(side) model", "choose Editor > Refresh Data Models in Xcode")
    case .unsoundSnapshot(let side, let error):
      .init(
        "the \(side) model it carries is not sound: \(error)",
        "repair that model, then refresh the data models in Xcode")
    case .unreadableExpression(let property, let reason):
      .init("the expression of \(property) cannot be read: \(reason)", "write it as text in a mapping file of modelctl")
    case .unreadableFilter(let text, let reason):
      .init(
        "the filter “\(text)” cannot be read: at character \(reason.offset + 1): \(reason.words.cause)",
        reason.words.advice)
    case .unsupportedSourceExpression:
      .init(
        "the source expression is more than a fetch of one entity", "write the choice of objects as a filter predicate")
    case .duplicateName(let name, let first):
      .init("a second entity mapping named “\(name)”; the first is at \(first)", "give one of them another name")
    }
  }
}
