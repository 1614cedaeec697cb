/// An error that may be about a location in a text file, with which its description then begins.
package protocol LocatedError: Error {
  /// The location and the words behind it; nil where it is about no location in a text.
  var located: (location: SourceLocation, words: String)? { get }
}
