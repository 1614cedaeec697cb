import Hummingbird
import ModelKit

/// What went wrong, in JSON.
struct ErrorDocument: ResponseEncodable {
  /// Something that keeps an object from being saved, with Core Data's number for it.
  struct Problem: Encodable {
    let code: Int
    let entity: String
    let property: String?
    let message: String
  }

  private struct Body: Encodable {
    let code: Int?
    let message: String
    let problems: [Problem]?
  }

  private let error: Body

  init(message: String) { error = Body(code: nil, message: message, problems: nil) }

  init(_ save: SaveError) {
    let problems = save.blockers.map {
      Problem(code: $0.code, entity: $0.object.entity, property: $0.property, message: "\($0)")
    }
    error = Body(code: save.code, message: "the order cannot be saved", problems: problems)
  }
}
