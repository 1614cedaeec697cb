import Foundation
import MappingModels
public import ModelDescription
public import StoreRows

/// A reason why objects cannot be saved, with Core Data error number.
///
/// Source of the numbers: the public header `CoreDataErrors.h`.
public struct SaveBlocker: Error, Hashable, Sendable {
  /// The kind of a blocker.
  public enum Kind: Hashable, Sendable {
    /// A property that is not optional lacks a value.
    case missing
    /// A relationship has fewer objects than its minimum.
    case tooFew(count: Int, minimum: Int)
    /// A relationship has more objects than its maximum.
    case tooMany(count: Int, maximum: Int)
    /// An object cannot be deleted while a relationship with the delete rule Deny has remaining objects.
    case denied(count: Int)
    /// A number, a date or the length of a text is above its limit.
    case above(limit: AttributeValue)
    /// A number, a date or the length of a text is below its limit.
    case below(limit: AttributeValue)
    /// A text does not match the expression of its attribute.
    case noMatch(pattern: String)
    /// A text is not a URI.
    case notURI
    /// A date is not a finite number of seconds.
    case notMoment
    /// A value is not of the property's type.
    case wrongType(expected: String)
    /// A number is NaN, which SQLite would store as NULL.
    case notNumber
    /// The destination object is not of the relationship's destination entity.
    case wrongDestination(RecordID, expected: String)
    /// The entity is abstract and lacks objects.
    case abstract
    /// The destination object does not exist.
    case noSuchObject(RecordID)
    /// Another save changed the object since it was read.
    case changedMeanwhile(read: Int64, found: Int64?)
    /// The object does not exist any more.
    case deletedMeanwhile
    /// The destination object's own link points to a different object, or to no object if it is empty.
    case contradicted(RecordID, inverse: String?, isEmpty: Bool = false)
    /// Another object has the same unique values.
    case notUnique([String], other: RecordID)
  }

  /// The kind of the blocker.
  public let kind: Kind
  /// The object.
  public let object: RecordID
  /// True if the save inserts the object.
  public let isNew: Bool
  /// The property; nil if the blocker is about the complete object.
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

/// An error if a save was refused; nothing of it was written.
public struct SaveError: Error, Hashable, Sendable {
  /// The blockers in the order of objects and properties; never empty.
  public let blockers: [SaveBlocker]

  /// Core Data error number: that of the only blocker, or the number for several errors.
  public var code: Int { blockers.count == 1 ? blockers[0].code : 1560 }
}

extension SaveBlocker: AdvisedError {
  /// Nil: the cause names the object.
  public var place: String? { nil }

  /// The object and the cause as a sentence.
  public var cause: String {
    let subject = isNew ? "a new \(object.entity)" : "\(object)"
    let name = property ?? ""
    switch kind {
    case .missing: return "\(subject) has no \(name), and \(name) is not optional"
    case .tooFew(let count, let minimum):
      return "\(subject) has \(Self.counted(count)) in \(name), but needs at least \(minimum)"
    case .tooMany(let count, let maximum):
      return "\(subject) has \(Self.counted(count)) in \(name), but may have at most \(maximum)"
    case .denied(let count): return "\(subject) has \(Self.counted(count)) in \(name), whose delete rule is Deny"
    case .above(let limit): return limited(subject, name, "above", limit)
    case .below(let limit): return limited(subject, name, "below", limit)
    case .noMatch(let pattern): return "\(name) of \(subject) does not match \(pattern)"
    case .notURI: return "\(name) of \(subject) is not a URI"
    case .notMoment: return "\(name) of \(subject) is not a valid date"
    case .wrongType(let expected): return "\(name) of \(subject) is not a valid value of type \(expected)"
    case .notNumber: return "\(name) of \(subject) is not a number"
    case .wrongDestination(let id, let expected): return "\(name) of \(subject) is \(id), but must be of \(expected)"
    case .abstract: return "\(object.entity) is abstract, so it cannot have objects"
    case .noSuchObject(let id): return "\(name) of \(subject) is \(id), which does not exist"
    case .contradicted(let id, let inverse?, let isEmpty):
      let end = isEmpty ? "is empty" : "points to another object"
      return "\(name) of \(subject) points to \(id), whose \(inverse) \(end)"
    case .contradicted(let id, nil, _): return "\(name) of \(subject) points to \(id), which belongs to another object"
    case .changedMeanwhile(let read, let found):
      return "another save changed \(subject): version \(read) was read, but the store has version \(found ?? 0)"
    case .deletedMeanwhile: return "\(subject) does not exist any more"
    case .notUnique(let properties, let other):
      return "\(subject) has the same \(properties.joined(separator: " and ")) as \(other), which must be unique"
    }
  }

  /// The next step to try; nil if the cause implies it.
  public var advice: Advice? {
    switch kind {
    case .denied: "delete or move them first"
    case .abstract: "insert an object of a subentity"
    default: nil
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

extension SaveError: AdvisedError {
  private static let shownBlockers = 20

  /// Nil: the cause names the objects.
  public var place: String? { nil }

  /// One line for each of the first 20 blockers, and the number of further blockers.
  public var cause: String {
    if blockers.count == 1 { return blockers[0].cause }
    let more = blockers.count - Self.shownBlockers
    let lines = blockers.prefix(Self.shownBlockers).map(\.description) + (more > 0 ? ["and \(more) more"] : [])
    return lines.joined(separator: "\n")
  }

  /// The advice of the blocker if there is only one.
  public var advice: Advice? { blockers.count == 1 ? blockers[0].advice : nil }
}
