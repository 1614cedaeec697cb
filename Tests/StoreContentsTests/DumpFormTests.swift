import StoreContents
import Testing

@Suite("The forms of a dump")
struct DumpFormTests {
  @Test("Each has a name of its own")
  func names() { #expect(Set(DumpForm.allCases.map(\.rawValue)).count == DumpForm.allCases.count) }
}
