public import Foundation
public import ModelFiles

/// An edit of a model file.
public struct EditReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The path of the file.
  public let path: String
  /// Whether the file was written; false for a dry run.
  public let isWritten: Bool
  /// The changes; the requested change is first.
  public let changes: [Change]
  /// The warnings.
  public let warnings: [String]
  /// The difference of the text, as `patch` reads it.
  public let diff: String

  private enum CodingKeys: CodingKey {
    case version, path, isWritten, changes, warnings, diff
  }

  /// Something that was done.
  public struct Change: Encodable, Hashable, Sendable {
    /// The entity or property, such as `Order.note`.
    public let element: String
    /// The change in words.
    public let message: String
  }

  /// Creates a report of an edit.
  ///
  /// - Parameter findings: the new findings of the rules.
  public init(_ edited: EditedContents, path: String, isWritten: Bool, findings: [String] = []) {
    (self.path, self.isWritten) = (path, isWritten)
    changes = edited.changes.map { Change(element: "\($0.element)", message: $0.sentence) }
    warnings = edited.warnings.map(\.text) + findings
    diff = UnifiedDiff.text(
      from: String(decoding: edited.oldData, as: UTF8.self), to: String(decoding: edited.data, as: UTF8.self),
      path: path
    )
  }

  /// Creates a report of a new current version.
  ///
  /// - Parameter former: the previous current version; nil if there was none.
  package init(current name: String, _ change: ModelBundle.CurrentVersionChange, former: String?, isWritten: Bool) {
    path = change.path
    self.isWritten = isWritten
    changes = [Change(element: "model", message: "\(name) is current\(former.map { " instead of \($0)" } ?? "")")]
    warnings = []
    diff = UnifiedDiff.text(
      from: String(decoding: change.oldData ?? Data(), as: UTF8.self), to: String(decoding: change.data, as: UTF8.self),
      path: path)
  }

  /// Creates a report of an undone edit.
  ///
  /// - Parameters:
  ///   - data: the bytes after the edit.
  ///   - oldData: the bytes before it, which are restored.
  public init(undoing data: Data, to oldData: Data, path: String, isWritten: Bool) {
    (self.path, self.isWritten) = (path, isWritten)
    changes = [Change(element: "model", message: "\(path): the last edit is undone")]
    warnings = []
    diff = UnifiedDiff.text(
      from: String(decoding: data, as: UTF8.self), to: String(decoding: oldData, as: UTF8.self), path: path)
  }

  /// A sentence a change, then the difference.
  public var text: String {
    changes.map { "\($0.message)\n" }.joined() + (isWritten ? "" : "\(path): not written, a dry run\n") + "\n" + diff
  }
}
