package import ModelFiles

/// What is wrong with a value of the JSON form, and where it stands.
package struct JSONStoreError: Error, Hashable, Sendable {
  /// What is wrong.
  package let finding: StoreDocumentError.Finding
  /// Where.
  package let location: SourceLocation

  init(_ finding: StoreDocumentError.Finding, at location: SourceLocation) {
    (self.finding, self.location) = (finding, location)
  }
}
