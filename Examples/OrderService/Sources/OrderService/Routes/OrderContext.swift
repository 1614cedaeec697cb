import Foundation
import Hummingbird
import ModelKit

/// What goes with a request: a decoder for which the 30th of February is no date.
struct OrderContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }

  var requestDecoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { value in
      do {
        let text = try value.singleValueContainer().decode(String.self)
        guard case .date(let seconds) = try AttributeValue.parse(text, as: .date) else { throw CocoaError(.formatting) }
        return Date(timeIntervalSinceReferenceDate: seconds)
      } catch let error as AttributeValueParseError {
        throw HTTPError(.badRequest, message: "\(error)")
      }
    }
    return decoder
  }
}
