/// An entity mapping as others see it: its name and its entities.
struct MappingRole: Hashable {
  var name: String
  var source: String?
  var destination: String?
}
