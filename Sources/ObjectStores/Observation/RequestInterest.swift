import MappingModels
import ModelDescription
import StoreRows

/// Which saves may change the objects that a request gives.
struct RequestInterest: Sendable {
  /// The root entity whose rows alone the request reads; nil where it follows relationships, or its objects have values that
  /// are derived from others.
  private let root: String?
  private let hierarchy: EntityHierarchy

  init(_ request: RecordRequest, in hierarchy: EntityHierarchy) {
    self.hierarchy = hierarchy
    let relationships = Set(hierarchy.model.entities.flatMap(\.relationships).map(\.name))
    let texts = [request.predicate?.description].compactMap { $0 } + request.sort.map(\.keyPath)
    let words = texts.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }.map(String.init)
    let derives = hierarchy.model.entities.contains { entity in
      hierarchy.isEntity(entity.name, kindOf: request.entity) && entity.attributes.contains { $0.derivation != nil }
        || hierarchy.isEntity(request.entity, kindOf: entity.name)
          && entity.attributes.contains { $0.derivation != nil }
    }
    let isAlone = !derives && relationships.isDisjoint(with: words) && hierarchy.entity(named: request.entity) != nil
    root = isAlone ? hierarchy.rootName(of: request.entity) : nil
  }

  /// True when the objects may be others after it.
  func covers(_ item: StoreNews.Item) -> Bool {
    guard case .save(let save) = item, let root else { return true }
    return [save.inserted, save.updated, save.deleted].joined().contains { hierarchy.rootName(of: $0.entity) == root }
  }
}
