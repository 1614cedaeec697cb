import Foundation
import MappingModels
public import ModelDescription
public import StoreRows

/// Something that keeps objects from being saved, with Core Data's number for it.
///
/// Source of the numbers: the public header `CoreDataErrors.h`.
public struct SaveBlocker: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// A property that is not optional has no value.
    case missing
    /// A relationship has fewer objects than it must.
    case tooFew(count: Int, minimum: Int)
    /// A relationship has more objects than it may.
    case tooMany(count: Int, maximum: Int)
    /// An object cannot go while a relationship with the rule Deny has objects that stay.
    case denied(count: Int)
    /// A number, a date or the length of a text is above its limit.
    case above(limit: AttributeValue)
    /// A number, a date or the length of a text is below its limit.
    case below(limit: AttributeValue)
    /// A text does not match the expression of its attribute.
    case noMatch(pattern: String)
    /// A text is no URI.
    case notURI
    /// A date is no moment.
    case notMoment
    /// A value is not of the property's type.
    case wrongType(expected: String)
    /// A number is none, and SQLite would keep nothing.
    case notNumber
    /// The object at the other end is not of the relationship's destination.
    case wrongDestination(RecordID, expected: String)
    /// The entity is abstract and has no objects.
    case abstract
    /// The object at the other end is not there.
    case noSuchObject(RecordID)
    /// Somebody else saved the object since it was read.
    case changedMeanwhile(read: Int64, found: Int64?)
    /// The object is not there any more.
    case deletedMeanwhile
    /// The object at the other end says that its own link leads elsewhere, or to nothing where it is empty.
    case contradicted(RecordID, inverse: String?, isEmpty: Bool = false)
    /// Another object has the values that are to be unique.
    case notUnique([String], other: RecordID)
  }

  /// What is wrong.
  public let kind: Kind
  /// The object.
  public let object: RecordID
  /// True for an object that the save was to insert.
  public let isNew: Bool
  /// The property; nil where the whole object is meant.
  public let property: String?
  /// The property's type, for the numbers of limits.
  let type: AttributeType?

  package init(_ kind: Kind, _ object: RecordID, isNew: Bool, property: String? = nil, type: AttributeType? = nil) {
    (self.kind, self.object, self.isNew, self.property, self.type) = (kind, object, isNew, property, type)
  }

  /// Core Data's number of the error.
  public var code: Int {
    switch kind {
    case .missing: CoreDataError.missingMandatoryProperty.rawValue
    case .tooFew: CoreDataError.relationshipLacksMinimumCount.rawValue
    case .tooMany: CoreDataError.relationshipExceedsMaximumCount.rawValue
    case .denied: 1600
    case .above: type == .date ? 1630 : type == .string ? 1660 : 1610
    case .below: type == .date ? 1640 : type == .string ? 1670 : 1620
    case .notMoment: 1650
    case .noMatch: 1680
    case .notURI: 1690
    case .wrongType, .notNumber, .wrongDestination, .contradicted, .abstract: 1550
    case .noSuchObject: 133_000
    case .changedMeanwhile, .deletedMeanwhile: 133_020
    case .notUnique: 133_021
    }
  }
}

/// A save was refused: nothing of it was written.
public struct SaveError: Error, Hashable, Sendable {
  /// Everything that is wrong, by object and property; never empty.
  public let blockers: [SaveBlocker]

  /// Core Data's number: of the one blocker, or the one for several.
  public var code: Int { blockers.count == 1 ? blockers[0].code : 1560 }
}

extension SaveBlocker: CustomStringConvertible {
  /// One sentence: which object, what is wrong, and what would be right.
  public var description: String {
    let subject = isNew ? "a new \(object.entity)" : "\(object)"
    let name = property ?? ""
    switch kind {
    case .missing: return "\(subject) has no \(name), and \(name) is not optional"
    case .tooFew(let count, let minimum):
      return "\(subject) has \(Self.counted(count)) in \(name), and needs \(minimum) or more"
    case .tooMany(let count, let maximum):
      return "\(subject) has \(Self.counted(count)) in \(name), and may have \(maximum) at most"
    case .denied(let count):
      return "\(subject) has \(Self.counted(count)) in \(name), whose delete rule is Deny: delete or move them first"
    case .above(let limit): return limited(subject, name, "above", limit)
    case .below(let limit): return limited(subject, name, "below", limit)
    case .noMatch(let pattern): return "\(name) of \(subject) does not match \(pattern)"
    case .notURI: return "\(name) of \(subject) is no URI"
    case .notMoment: return "\(name) of \(subject) is no moment"
    case .wrongType(let expected): return "\(name) of \(subject) is no value of type \(expected)"
    case .notNumber: return "\(name) of \(subject) is no number"
    case .wrongDestination(let id, let expected): return "\(name) of \(subject) is \(id), and must be of \(expected)"
    case .abstract: return "\(object.entity) is abstract and has no objects; insert one of an entity below it"
    case .noSuchObject(let id): return "\(name) of \(subject) is \(id), which is not there"
    case .contradicted(let id, let inverse?, let isEmpty):
      let otherEnd = isEmpty ? "is empty" : "leads to another object"
      return "\(name) of \(subject) leads to \(id), whose \(inverse) \(otherEnd)"
    case .contradicted(let id, nil, _): return "\(name) of \(subject) leads to \(id), which another object has"
    case .changedMeanwhile(let read, let found):
      return "\(subject) was saved by somebody else: version \(read) was read, and \(found ?? 0) is there"
    case .deletedMeanwhile: return "\(subject) is not there any more"
    case .notUnique(let properties, let other):
      return "\(subject) has the same \(properties.joined(separator: " and ")) as \(other), which must be unique"
    }
  }

  private static func counted(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }

  private func limited(_ subject: String, _ name: String, _ side: String, _ limit: AttributeValue) -> String {
    switch (type, limit) {
    case (.string, .integer(let length)):
      let word = side == "above" ? "longer" : "shorter"
      return "\(name) of \(subject) is \(word) than \(length) characters"
    case (.date, .date(let moment)):
      return "\(name) of \(subject) is \(side == "above" ? "after" : "before") \(DateText.of(moment))"
    case (_, .integer(let number)): return "\(name) of \(subject) is \(side) \(number)"
    case (_, .decimal(let number)): return "\(name) of \(subject) is \(side) \(number)"
    case (_, .double(let number)): return "\(name) of \(subject) is \(side) \(number)"
    default: return "\(name) of \(subject) is \(side) its limit"
    }
  }
}

extension SaveError: CustomStringConvertible {
  private static let shownBlockers = 20

  /// A line for each of the first blockers, and how many there are more.
  public var description: String {
    let more = blockers.count - Self.shownBlockers
    let lines = blockers.prefix(Self.shownBlockers).map(\.description) + (more > 0 ? ["and \(more) more"] : [])
    return lines.joined(separator: "\n")
  }
}
