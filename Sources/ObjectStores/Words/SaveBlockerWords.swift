import Foundation
import ModelDescription
import StoreRows

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
