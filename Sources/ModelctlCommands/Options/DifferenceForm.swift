import ModelKit

/// The forms of `diff`.
enum DifferenceForm: String, OutputForm {
  case text
  case json
  case markdown
  case html
}

extension FormatOptions<DifferenceForm> {
  /// Gives what changed between two models.
  ///
  /// - Parameters:
  ///   - models: the models.
  ///   - isPlain: true for text that reads well aloud.
  /// - Returns: true where something changed.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ models: ComparedModels, isPlain: Bool) throws -> Bool {
    try write(isPlain ? nil : .difference) { form in
      switch form {
      case .text: PrintableText.escaped(isPlain ? models.report.plainText : models.report.text)
      case .json: try JSONText.encode(models.report)
      case .markdown:
        BranchReport(base: models.source.name, [models.bundle(path: models.destination.name)]).markdown
      // Asked for objects alone.
      case .html: ""
      }
    }
    return !models.difference.changes.isEmpty
  }

  /// Gives what changed in the bundles of a project.
  ///
  /// - Returns: true where something changed.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ report: BranchReport) throws -> Bool {
    try write(.difference) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: report.markdown
      // Asked for objects alone.
      case .html: ""
      }
    }
    return !report.bundles.isEmpty
  }

  /// Gives what differs between the objects of two stores.
  ///
  /// - Returns: true where something changed.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ report: DataDifferenceReport) throws -> Bool {
    try write(.difference) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: report.markdown
      case .html: report.html
      }
    }
    return !report.isEmpty
  }
}
