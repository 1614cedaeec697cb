package import ModelFiles

/// What is wrong with a value of the JSON form, and where it stands.
package struct JSONStoreFault: Error, Hashable, Sendable {
  /// What is wrong.
  package let fault: StoreDocumentError.Fault
  /// Where.
  package let location: SourceLocation

  init(_ fault: StoreDocumentError.Fault, at location: SourceLocation) {
    (self.fault, self.location) = (fault, location)
  }
}
