import Foundation
import MappingModels
import ModelDescription
import TestSupport

/// Makes expressions over an entity that mean something, as a seed wills.
struct RandomCompiledExpression {
  var random: SeededGenerator
  let hierarchy: EntityHierarchy
  let entity: String
  /// The variable that key paths start from: `source`, or that of a surrounding `SUBQUERY`.
  private(set) var subject = "source"

  init(random: SeededGenerator, hierarchy: EntityHierarchy, entity: String) {
    (self.random, self.hierarchy, self.entity) = (random, hierarchy, entity)
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private func source(_ keys: [String]) -> ValueExpression { .keyPath(keys, of: .variable(subject)) }

  private func call(_ name: String, _ arguments: ValueExpression...) -> ValueExpression { .function(name, arguments) }

  // MARK: Key paths

  /// Keys to an attribute of one of the types, over at most two relationships to one object.
  private mutating func path(_ types: [AttributeType], from start: String, parts: Int = 2) -> [String]? {
    let relationships = hierarchy.allRelationships(of: start).values.filter { !$0.property.isToMany }
      .sorted { $0.property.name < $1.property.name }
    if parts > 0, pick(3) == 0, let part = relationships.randomElement(using: &random),
      let target = part.property.destinationEntityName, let rest = path(types, from: target, parts: parts - 1)
    {
      return [part.property.name] + rest
    }
    let attributes = hierarchy.allAttributes(of: start).values.filter { types.contains($0.property.type) }
      .map(\.property.name).sorted()
    return attributes.randomElement(using: &random).map { [$0] }
  }

  /// Keys to several objects, and their entity; at most one relationship to one object comes before.
  private mutating func several(from start: String) -> (keys: [String], entity: String)? {
    let all = hierarchy.allRelationships(of: start).values.sorted { $0.property.name < $1.property.name }
    if pick(4) == 0, let part = all.filter({ !$0.property.isToMany }).randomElement(using: &random),
      let target = part.property.destinationEntityName, let rest = several(from: target)
    {
      return ([part.property.name] + rest.keys, rest.entity)
    }
    guard let many = all.filter({ $0.property.isToMany }).randomElement(using: &random),
      let target = many.property.destinationEntityName
    else { return nil }
    return further([many.property.name], target)
  }

  /// Goes on from several objects to the objects behind them.
  private mutating func further(_ keys: [String], _ entity: String) -> (keys: [String], entity: String) {
    guard pick(3) == 0,
      let next = hierarchy.allRelationships(of: entity).values.sorted(by: { $0.property.name < $1.property.name })
        .randomElement(using: &random), let target = next.property.destinationEntityName
    else { return (keys, entity) }
    guard next.property.isToMany else {
      let collecting = ["", "@distinctUnionOfObjects", "@unionOfObjects"].randomElement(using: &random) ?? ""
      return (keys + [collecting, next.property.name].filter { !$0.isEmpty }, target)
    }
    let collecting = ["@distinctUnionOfSets", "@unionOfSets", "@distinctUnionOfArrays"].randomElement(using: &random)
    return (keys + [collecting ?? "@unionOfSets", next.property.name], target)
  }

  /// An aggregate over several objects, of the attributes of some types.
  private mutating func aggregate(_ names: [String], _ types: [AttributeType]) -> ValueExpression? {
    guard let many = several(from: entity), let attribute = path(types, from: many.entity, parts: 1),
      let name = names.randomElement(using: &random)
    else { return nil }
    guard pick(4) > 0 else {
      let function = ["@sum": "sum:", "@avg": "average:", "@min": "min:", "@max": "max:"][name] ?? "min:"
      let collecting = ["@distinctUnionOfObjects", "@unionOfObjects"].randomElement(using: &random) ?? ""
      return call(function, source(many.keys + [collecting] + attribute))
    }
    return source(many.keys + [name] + attribute)
  }

  /// Those of several objects for which a condition holds.
  private mutating func subquery(_ depth: Int) -> ValueExpression? {
    guard let many = several(from: entity) else { return nil }
    var inner = RandomCompiledExpression(random: random, hierarchy: hierarchy, entity: many.entity)
    inner.subject = subject == "source" ? "x" : subject + "x"
    let test = inner.condition(depth)
    random = inner.random
    // The object outside is seen from the inside too.
    let whole = pick(3) == 0 ? ValueExpression.conjunction([test, condition(0)]) : test
    return .subquery(of: source(many.keys), variable: inner.subject, where: whole)
  }

  // MARK: Values

  private static let whole: [AttributeType] = [.integer16, .integer32, .integer64]
  private static let real: [AttributeType] = [.double, .float, .decimal]

  /// A whole number.
  mutating func number(_ depth: Int) -> ValueExpression {
    if depth > 0 {
      switch pick(13) {
      case 0: return call("add:to:", number(depth - 1), number(depth - 1))
      case 1: return call("from:subtract:", number(depth - 1), number(depth - 1))
      case 2: return call("multiply:by:", number(depth - 1), number(depth - 1))
      case 3: return call("divide:by:", number(depth - 1), number(depth - 1))
      case 4: return call("modulus:by:", number(depth - 1), number(depth - 1))
      case 5: return call("length:", text(depth - 1))
      case 6: return .conditional(condition(depth - 1), then: number(depth - 1), else: number(depth - 1))
      case 7: return call(["abs:", "trunc:", "floor:"].randomElement(using: &random) ?? "abs:", number(depth - 1))
      case 8:
        if let many = several(from: entity) { return source(many.keys + ["@count"]) }
      case 9:
        if let many = several(from: entity) { return call("count:", source(many.keys)) }
      case 10:
        if let keys = path([.string], from: entity) { return source(keys + ["length"]) }
      case 11:
        if let found = subquery(depth - 1) { return .keyPath(["@count"], of: found) }
      default: break
      }
    }
    if pick(3) > 0, let keys = path(Self.whole, from: entity) { return source(keys) }
    return .constant(.integer(pick(8) == 0 ? 1 << 62 : Int64(pick(7)) - 3))
  }

  /// A number that may have a fraction.
  mutating func fraction(_ depth: Int) -> ValueExpression {
    if depth > 0 {
      switch pick(11) {
      case 0: return call("add:to:", fraction(depth - 1), number(depth - 1))
      case 1: return call("from:subtract:", number(depth - 1), fraction(depth - 1))
      case 2: return call("multiply:by:", fraction(depth - 1), fraction(depth - 1))
      case 3: return call("divide:by:", number(depth - 1), fraction(depth - 1))
      case 4: return call("sqrt:", call("abs:", fraction(depth - 1)))
      case 5: return .conditional(condition(depth - 1), then: fraction(depth - 1), else: fraction(depth - 1))
      case 6:
        return call(["trunc:", "floor:", "ceiling:"].randomElement(using: &random) ?? "trunc:", fraction(depth - 1))
      case 7: return call("raise:toPower:", fraction(depth - 1), .constant(.integer(2)))
      case 8, 9:
        let names = ["@sum", "@avg", "@min", "@max"]
        if let found = aggregate(names, Self.real) { return found }
      case 10: return .cast(date(depth - 1), to: "NSNumber")
      default: break
      }
    }
    if pick(3) > 0, let keys = path(Self.real, from: entity) { return source(keys) }
    let number = Double(pick(17) - 8) / 4
    return .constant(pick(2) == 0 ? .double(number) : .decimal(Decimal(number)))
  }

  /// A text.
  mutating func text(_ depth: Int) -> ValueExpression {
    if depth > 0 {
      switch pick(8) {
      case 0: return call("add:to:", text(depth - 1), .conditional(condition(0), then: text(0), else: text(depth - 1)))
      case 1:
        return call(
          ["uppercase:", "lowercase:", "canonical:"].randomElement(using: &random) ?? "canonical:", text(depth - 1))
      case 2: return .conditional(condition(depth - 1), then: text(depth - 1), else: .null)
      case 3: return .cast(number(depth - 1), to: "NSString")
      case 4: if let found = aggregate(["@min", "@max"], [.string]) { return found }
      case 5: if let keys = path([.uuid], from: entity) { return .cast(source(keys), to: "NSString") }
      default: break
      }
    }
    if pick(4) > 0, let keys = path([.string], from: entity) { return source(keys) }
    return .constant(.string(RandomRows.texts.randomElement(using: &random) ?? ""))
  }

  /// A date.
  mutating func date(_ depth: Int) -> ValueExpression {
    if depth > 0 {
      switch pick(5) {
      case 0: return .cast(fraction(depth - 1), to: "NSDate")
      case 1: return .conditional(condition(depth - 1), then: date(depth - 1), else: .null)
      case 2: if let found = aggregate(["@min", "@max"], [.date]) { return found }
      default: break
      }
    }
    if pick(4) > 0, let keys = path([.date], from: entity) { return source(keys) }
    return pick(2) == 0 ? call("now") : .constant(.date(Double(pick(9)) / 4))
  }

  /// What a path to one of these types gives, where there is one.
  mutating func plain(_ type: AttributeType) -> ValueExpression? {
    path([type], from: entity).map(source)
  }

  /// Source objects, for links.
  mutating func objects() -> ValueExpression {
    switch pick(6) {
    case 5: return subquery(1) ?? .variable(subject)
    case 0: return .variable(subject)
    case 1:
      let toOnes = hierarchy.allRelationships(of: entity).values.filter { !$0.property.isToMany }
      guard let one = toOnes.map(\.property.name).sorted().randomElement(using: &random) else {
        return .variable(subject)
      }
      return source([one])
    case 2: return .conditional(condition(1), then: several(from: entity).map { source($0.keys) } ?? .null, else: .null)
    default: return several(from: entity).map { source($0.keys) } ?? .variable(subject)
    }
  }

  // MARK: Conditions

  private static let orders: [ExpressionComparison.Operator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]
  private static let textual: [ExpressionComparison.Operator] = [.beginsWith, .endsWith, .contains, .like, .isIn]
  private static let patterns = ["*", "a*", "?", "*\\*c", "", "??", "É*", "*a*b*"]
  private static let expressions = ["[a-z]+", ".*", "\\d*", "(?i)A", ".", "(a|ä).*"]

  /// A condition.
  mutating func condition(_ depth: Int) -> ValueExpression {
    if depth > 0 {
      switch pick(6) {
      case 0: return .conjunction([condition(depth - 1), condition(depth - 1)])
      case 1: return .disjunction([condition(depth - 1), condition(depth - 1), condition(0)])
      case 2: return .negation(condition(depth - 1))
      default: break
      }
    }
    let inner = max(0, depth - 1)
    switch pick(9) {
    case 0: return compare(number(inner), Self.orders, pick(4) == 0 ? .null : number(inner))
    case 1: return compare(fraction(inner), Self.orders, pick(4) == 0 ? .null : number(inner))
    case 2: return texts(text(inner), Self.orders, pick(4) == 0 ? .null : text(inner))
    case 3: return texts(text(inner), Self.textual, pick(6) == 0 ? .null : text(0))
    case 4:
      let pattern = pick(2) == 0 ? Self.patterns : Self.expressions
      return texts(
        text(inner), pattern == Self.patterns ? [.like] : [.matches],
        .constant(.string(pattern.randomElement(using: &random) ?? "")))
    case 5: return compare(date(inner), Self.orders, pick(4) == 0 ? .null : date(inner))
    case 6: return membership()
    case 7: return quantified()
    default: return same()
    }
  }

  private mutating func compare(
    _ left: ValueExpression, _ operators: [ExpressionComparison.Operator], _ right: ValueExpression
  ) -> ValueExpression {
    .comparison(ExpressionComparison(left, operators.randomElement(using: &random) ?? .equal, right))
  }

  private mutating func texts(
    _ left: ValueExpression, _ operators: [ExpressionComparison.Operator], _ right: ValueExpression
  ) -> ValueExpression {
    let how = operators.randomElement(using: &random) ?? .equal
    let folds = how == .matches ? 0 : pick(4)
    return .comparison(
      ExpressionComparison(left, how, right, ignoresCase: folds & 1 == 1, ignoresDiacritics: folds & 2 == 2))
  }

  private mutating func membership() -> ValueExpression {
    switch pick(4) {
    case 0: return compare(number(0), [.isIn, .between], .collection([number(0), number(0)]))
    case 1: return texts(text(0), [.isIn, .between], .collection([text(0), text(0)]))
    case 2:
      guard let many = several(from: entity), let keys = path([.string], from: many.entity, parts: 1) else {
        return compare(number(0), [.isIn], .collection([]))
      }
      return texts(text(0), [.isIn], source(many.keys + ["@unionOfObjects"] + keys))
    default:
      guard let many = several(from: entity) else { return .truth(true) }
      return compare(
        .variable(subject),
        hierarchy.rootName(of: many.entity) == hierarchy.rootName(of: entity) ? [.isIn] : [.notEqual],
        hierarchy.rootName(of: many.entity) == hierarchy.rootName(of: entity) ? source(many.keys) : .null)
    }
  }

  private mutating func quantified() -> ValueExpression {
    let quantifier: ExpressionComparison.Quantifier = [.any, .all, .none].randomElement(using: &random) ?? .any
    guard let many = several(from: entity) else { return .truth(false) }
    // Drawn beside the sequence, so that all else of a seed stays.
    var aside = random
    let isPlain = Bool.random(using: &aside) && !many.keys.contains { $0.hasPrefix("@") }
    let isNullTest = isPlain && Bool.random(using: &aside)
    if pick(2) == 0, let keys = path([.string], from: many.entity, parts: 1) {
      let how = (Self.orders + [.contains, .like]).randomElement(using: &random) ?? .equal
      let right = text(0)
      return .comparison(
        ExpressionComparison(
          source(many.keys + (isPlain ? [] : ["@unionOfObjects"]) + keys), how, isNullTest ? .null : right,
          quantifier: quantifier, ignoresCase: pick(2) == 0))
    }
    guard let keys = path(Self.whole, from: many.entity, parts: 1) else { return .truth(true) }
    let how = Self.orders.randomElement(using: &random) ?? .equal
    let right = number(0)
    return .comparison(
      ExpressionComparison(
        source(many.keys + (isPlain ? [] : ["@distinctUnionOfObjects"]) + keys), how, isNullTest ? .null : right,
        quantifier: quantifier))
  }

  /// Objects, Booleans, UUIDs, URIs and data are the same or not.
  private mutating func same() -> ValueExpression {
    let how: [ExpressionComparison.Operator] = [.equal, .notEqual]
    let type: AttributeType = [.boolean, .uuid, .uri, .binary].randomElement(using: &random) ?? .boolean
    if pick(2) == 0, let one = plain(type) {
      let other = type == .boolean && pick(2) == 0 ? .constant(.boolean(true)) : plain(type)
      return compare(one, how, pick(3) == 0 ? .null : other ?? .null)
    }
    let toOnes = hierarchy.allRelationships(of: entity).values.filter { !$0.property.isToMany }
    guard let name = toOnes.map(\.property.name).sorted().randomElement(using: &random) else { return .truth(true) }
    return compare(source([name]), how, .null)
  }
}
